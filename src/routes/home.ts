import { HomePage, type HomePageProps } from '../../views/home-page.tsx'
import { AppError } from '../errors.ts'
import { languages } from '../highlight/languages.ts'
import { curl } from '../openapi/curl.ts'
import type { LifetimeChoice } from '../services/expiry.ts'
import { siteAt } from './assets.ts'
import type { Identify } from './auth.ts'
import { formLimit } from './body.ts'
import { sharedResource } from './cors.ts'
import { statusOf } from './errors.ts'
import { bodyOf, typedOf } from './form-fields.ts'
import { createFormReader, type Fields, type Form } from './forms.ts'
import { createKeptText } from './kept-text.ts'
import { createLinkPublisher, createPublisher, type LinkPublisherParts } from './publish.ts'
import type { RequestContext } from './resource.ts'
import { page, pageHeaders } from './respond.ts'
import type { StrangerBodies } from './stranger-bodies.ts'
import { createUpload, type UploadParts } from './uploads.ts'

export type HomeRoutesParts = UploadParts &
  LinkPublisherParts & {
    identify: Identify
    lifetimes: readonly LifetimeChoice[]
    strangers: StrangerBodies
  }

const examplePaste = { text: 'print(1)', title: 'One', description: '', language: 'python' }

const tooLongToReturn = 'What you typed is too long to be sent back. Go back: it is still there.'

const isKnownBy = (identify: Identify) => (key: string) =>
  identify(key).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.kind === 'unauthorized') return false
      throw error
    },
  )

/**
 * `GET /` is the page that creates; `POST /` is its forms, for browsers without JavaScript, or an upload where the
 * key is in the header; `PUT /` is an upload without a name.
 */
export const homeRoutes = (parts: HomeRoutesParts) => {
  const { guard, identify, origin, maxPasteBytes, lifetimes, strangers } = parts
  const upload = createUpload(parts)
  const publishPaste = createPublisher(parts)
  const publishLink = createLinkPublisher(parts)
  const maxBytes = formLimit(maxPasteBytes)
  const readForm = createFormReader({ maxBytes, strangers, isKnown: isKnownBy(identify) })

  const render = (own: string, extra: Partial<HomePageProps>) => {
    const url = `${origin.addressesAt(own).baseUrl}/paste`
    const pasteCommand = curl({ url, headers: { key: 'YOUR_API_KEY' }, json: examplePaste })
    return HomePage({ site: siteAt('./'), languages, lifetimes, pasteCommand, ...extra }) as string
  }

  const keptPage = createKeptText(pageHeaders, (own) => render(own, {}))

  const createPaste = async (context: RequestContext, fields: Fields, owner: string) => {
    const { name, answer } = await publishPaste(context, bodyOf(fields), owner)
    const { pasteUrl: url, rawUrl, deletionUrl } = answer
    return { url, rawUrl, deletionUrl, qr: `qr/p/${name}` }
  }

  const createLink = async (context: RequestContext, fields: Fields, owner: string) => {
    const { name, answer } = await publishLink(context, bodyOf(fields), owner)
    return { url: answer.shortendUrl, deletionUrl: answer.deletionUrl, qr: `qr/s/${name}` }
  }

  const create = async (context: RequestContext, fields: Fields) => {
    const isLink = fields.create === 'link'
    const { name } = await guard(fields.key ?? null, isLink ? 'shorten' : 'paste')
    return (isLink ? createLink : createPaste)(context, fields, name)
  }

  const refused = (context: RequestContext, sent: Form, error: AppError) => {
    const form = sent.fields.create === 'link' ? 'link' : 'paste'
    const { typed, isCut } = typedOf(sent)
    const message = isCut ? `${error.message}. ${tooLongToReturn}` : error.message
    return page(
      render(origin.own(context), { failure: { form, message, typed } }),
      statusOf(error),
      error.headers,
    )
  }

  const postForm = async (context: RequestContext) => {
    const sent = await readForm(context.request)
    try {
      return page(render(origin.own(context), { result: await create(context, sent.fields) }), 201)
    } catch (error) {
      if (!(error instanceof AppError) || statusOf(error) >= 500) throw error
      return refused(context, sent, error)
    }
  }

  return sharedResource('/', {
    get: (context) => keptPage(context.request, origin.own(context)),
    post: (context) => (context.request.headers.has('key') ? upload : postForm)(context),
    put: upload,
  })
}

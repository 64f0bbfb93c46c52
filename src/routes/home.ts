import { HomePage, type HomePageProps, type Typed } from '../../views/home-page.tsx'
import type { ResultProps } from '../../views/result.tsx'
import { AppError } from '../errors.ts'
import { languages } from '../highlight/languages.ts'
import { curl } from '../openapi/curl.ts'
import type { LifetimeChoice } from '../services/expiry.ts'
import type { Links } from '../services/links.ts'
import type { Pastes } from '../services/pastes.ts'
import { nameOf } from '../urls.ts'
import { siteAt } from './assets.ts'
import { sharedResource } from './cors.ts'
import { statusOf } from './errors.ts'
import { readForm } from './forms.ts'
import { limitOf } from './limit-field.ts'
import type { RequestContext } from './resource.ts'
import { page } from './respond.ts'
import { createUpload, type UploadParts } from './uploads.ts'

export type HomeRoutesParts = UploadParts & {
  pastes: Pastes
  links: Links
  lifetimes: readonly LifetimeChoice[]
}
type Fields = Readonly<Record<string, string>>

const examplePaste = { text: 'print(1)', title: 'One', description: '', language: 'python' }

/** An option left as it was comes as an empty field. */
const withoutEmptyOptions = ({ expiresIn, alias, ...fields }: Fields): Fields => ({
  ...fields,
  ...(expiresIn && { expiresIn }),
  ...(alias && { alias }),
})

/** What comes back to be shown again; the key does not. */
const typedOf = ({
  text,
  title,
  description,
  language,
  url,
  expiresIn,
  maxReads,
  maxVisits,
  alias,
}: Fields): Typed =>
  Object.fromEntries(
    Object.entries({ text, title, description, language, url, expiresIn, maxReads, maxVisits, alias }).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** A field left empty is a limit that nobody wants. */
const withLimits = ({ maxReads, maxVisits, ...fields }: Fields): object => ({
  ...fields,
  ...(maxReads && { maxReads: limitOf(maxReads) }),
  ...(maxVisits && { maxVisits: limitOf(maxVisits) }),
})

/**
 * `GET /` is the page that creates; `POST /` is its forms, for browsers without JavaScript, or an upload where the
 * key is in the header; `PUT /` is an upload without a name.
 */
export const homeRoutes = (parts: HomeRoutesParts) => {
  const { pastes, links, guard, origin, maxBodyBytes, lifetimes } = parts
  const upload = createUpload(parts)

  const render = (context: RequestContext, extra: Partial<HomePageProps>) => {
    const url = `${origin.addresses(context).baseUrl}/paste`
    const pasteCommand = curl({ url, headers: { key: 'YOUR_API_KEY' }, json: examplePaste })
    return HomePage({ site: siteAt('./'), languages, lifetimes, pasteCommand, ...extra }) as string
  }

  const createPaste = async (
    context: RequestContext,
    fields: Fields,
    owner: string,
  ): Promise<ResultProps> => {
    const addresses = origin.addresses(context)
    const { item, deletionKey } = await pastes.create(withLimits(fields), owner)
    return {
      url: addresses.paste(nameOf(item)),
      rawUrl: addresses.rawPaste(nameOf(item)),
      deletionUrl: addresses.pasteDeletion(deletionKey),
      qr: `qr/p/${nameOf(item)}`,
    }
  }

  const createLink = async (context: RequestContext, fields: Fields, owner: string): Promise<ResultProps> => {
    const addresses = origin.addresses(context)
    const { item, deletionKey } = await links.create(withLimits(fields), owner, addresses.isOwnLink)
    return {
      url: addresses.link(nameOf(item)),
      deletionUrl: addresses.linkDeletion(deletionKey),
      qr: `qr/s/${nameOf(item)}`,
    }
  }

  const postForm = async (context: RequestContext) => {
    const fields = withoutEmptyOptions(await readForm(context.request, maxBodyBytes))
    const isLink = fields.create === 'link'
    try {
      const { name } = await guard(fields.key ?? null, isLink ? 'shorten' : 'paste')
      const result = await (isLink ? createLink : createPaste)(context, fields, name)
      return page(render(context, { result }), 201)
    } catch (error) {
      if (!(error instanceof AppError) || statusOf(error) >= 500) throw error
      const failure = { [isLink ? 'linkError' : 'pasteError']: error.message, typed: typedOf(fields) }
      return page(render(context, failure), statusOf(error), error.headers)
    }
  }

  return sharedResource('/', {
    get: (context) => page(render(context, {})),
    post: (context) => (context.request.headers.has('key') ? upload : postForm)(context),
    put: upload,
  })
}

import { AppError } from '../../errors.ts'
import { formProblem, schemeAdded, withScheme } from '../../form-words.ts'
import { addressAnswer, deletionOf, page } from '../../http/answers.ts'
import { formLimit } from '../../http/body.ts'
import { statusOf } from '../../http/errors.ts'
import { createFormReader, type Fields, type Form, type FormReaderParts } from '../../http/forms.ts'
import { isBrowser } from '../../http/negotiate.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { Identify, KeyChecks, Keyless, Sender } from '../../http/who.ts'
import type { LinkCreation } from '../links/create-link.ts'
import type { PasteCreation } from '../pastes/create-paste.ts'
import { bodyOf, checkFields, controlOf, kindOf, tabOf, typedOf } from './form-fields.ts'
import { createHomePages, type HomePagesParts, homeHeaders } from './home-pages.ts'
import { createKeyItems, type KeyItemsParts } from './key-items.ts'

export type HomeParts = HomePagesParts &
  KeyItemsParts &
  Pick<KeyChecks, 'guard' | 'identify' | 'uploadKey'> & {
    keyless: Pick<Keyless, 'sender'>
    rooms: FormReaderParts['rooms']
    /** Milliseconds since the epoch. */
    now: () => number
  }

/** Strangers share some memory until a key arrives, guests some more, and users count by their names. */
const roomOf = { none: 'strangers', guest: 'guests', user: undefined } as const

const tooLongToReturn = 'What you typed is too long to be sent back. Go back: it is still there.'

const isKnownBy = (identify: Identify, context: RequestContext) => (key: string) =>
  identify(context, key).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.kind === 'unauthorized') return false
      throw error
    },
  )

/** Puts `http://` before `grafana.lan`; the form is shown again for the user to check. */
const completed = (fields: Fields, message: string) => {
  const address = /must begin with http/.test(message) ? withScheme(fields.url?.trim() ?? '') : undefined
  return address ? { url: address, message: schemeAdded(address) } : undefined
}

/**
 * `GET /` is the start page. `POST /` takes its form from browsers without JavaScript, or an upload: with a key header, from
 * programs with a bearer token, and from programs that need no key.
 */
export const createHome = (parts: HomeParts, pastes: PasteCreation, links: LinkCreation) => {
  const { guard, identify, uploadKey, keyless, maxPasteBytes, rooms, now } = parts
  const maxBytes = formLimit(maxPasteBytes)
  const readForm = createFormReader({ maxBytes, rooms })
  const pages = createHomePages(parts)
  const listItems = createKeyItems(parts)

  const create = async (context: RequestContext, fields: Fields, sender: Sender | undefined) => {
    const { request } = context
    const isLink = kindOf(fields) === 'link'
    const holder = await guard(context, fields.key ?? null, isLink ? 'shorten' : 'paste')
    checkFields(fields, isBrowser(request))
    const { store } = isLink ? links : pastes
    const created = await store(context, bodyOf(fields, now()), holder)
    const { answer } = created
    const url = 'shortendUrl' in answer ? answer.shortendUrl : answer.pasteUrl
    if (!isBrowser(request)) return addressAnswer(request, answer, url)
    // The page itself, because only who sent the form may see the deletion link: no address leads to it.
    const headers = { ...homeHeaders(sender), Location: url, ...deletionOf(answer) }
    return page(pages.created(created, url, sender), 201, headers)
  }

  const refused = (sent: Form, error: AppError, sender: Sender | undefined) => {
    const form = kindOf(sent.fields)
    const { typed, isCut } = typedOf(sent)
    const { field, message } = formProblem(error.message)
    const fix = completed(sent.fields, error.message)
    const problem = {
      field: controlOf(form, field),
      message: `${fix?.message ?? message}${isCut ? ` ${tooLongToReturn}` : ''}`,
    }
    const shown = fix ? { ...typed, url: fix.url } : typed
    const html = pages.filled(shown, tabOf(sent.fields), { form, problem }, sender)
    return page(html, statusOf(error), { ...homeHeaders(sender), ...error.headers })
  }

  const postForm = async (context: RequestContext) => {
    const sender = await keyless.sender(context)
    const isKnown = isKnownBy(identify, context)
    const sent = await readForm(context.request, {
      room: roomOf[sender?.as ?? 'none'],
      isKnown,
      isBrowser: isBrowser(context.request),
    })
    try {
      if (sent.fields.create === 'items') return await listItems(context, sent.fields)
      return await create(context, sent.fields, sender)
    } catch (error) {
      if (!(error instanceof AppError) || statusOf(error) >= 500 || !isBrowser(context.request)) throw error
      return refused(sent, error, sender)
    }
  }

  return {
    show: async ({ request, server }: RequestContext) =>
      pages.answer(request, await keyless.sender({ request, server })),

    post: async ({ request, server }: RequestContext) => {
      const context = { request, server }
      // A proxy may put a token of its own into what a browser sends.
      const key = isBrowser(request) ? request.headers.get('key') : uploadKey(context)
      const isForm = key === null && (isBrowser(request) || !(await keyless.sender(context)))
      if (isForm) return postForm(context)
      return pastes.upload({ ...context, holder: await guard(context, key, 'paste') })
    },
  }
}

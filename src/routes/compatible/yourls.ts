import { forbidden, malformed, methodNotAllowed } from '../../errors.ts'
import { createFormReader, type Fields, maxUrlencodedBytes } from '../../http/forms.ts'
import { api, type Handle, type RequestContext } from '../../http/routes.ts'
import { checkKnown } from '../../items/field.ts'
import { keyIn, type Protocol, type ProtocolParts, speaking, timeText } from './protocol.ts'
import {
  type Asked,
  callbackOf,
  createReads,
  isCallback,
  type Said,
  write,
  writeFailure,
} from './yourls-answers.ts'

const known = new Set(
  'action format url keyword title signature username password callback jsonp _'.split(' '),
)

const createShortening =
  ({ guard, linkCreation, origin }: ProtocolParts, createsByGet: boolean) =>
  async ({ context, fields, key }: Asked): Promise<Said> => {
    const { method } = context.request
    const { url: sent = '', keyword, title, format } = fields
    if (method !== 'POST' && !(createsByGet && method === 'GET'))
      throw methodNotAllowed('POST', 'Nothing is created by GET here: send action=shorturl by POST')
    // A link, an image or a script of any page could send it for guests and users.
    if (method === 'GET' && !key) throw forbidden('A GET needs "signature", the API key, to create')
    if (format === 'jsonp') throw forbidden('No script creates a short link: use another format than jsonp')
    const holder = await guard(context, key, 'shorten')
    checkKnown(fields, known)
    // YOURLS completes an address without a scheme, too.
    const url = sent === '' || /^[a-z][a-z\d+.-]*:/i.test(sent) ? sent : `http://${sent}`
    const body = { url, ...(keyword && { alias: keyword }), ...(title && { title }) }
    const { item, name } = await linkCreation.store(context, body, holder)
    const simple = origin.addresses(context).link(name)
    const titled = { title: item.title || item.url }
    const made = { keyword: name, url: item.url, ...titled, date: timeText(item.createdAt), ip: '' }
    const told = { status: 'success', message: `${item.url} added to database`, ...titled }
    return { url: made, ...told, shorturl: simple, statusCode: 200, simple }
  }

const stranger = { isKnown: async () => false, isBrowser: false, pool: 'keyless' } as const

const createYourls =
  (createsByGet: boolean): Protocol =>
  (parts) => {
    const readForm = createFormReader({ maxBytes: maxUrlencodedBytes, pools: parts.pools })
    const shorten = createShortening(parts, createsByGet)
    const reads = createReads(parts)

    const formOf = async (request: Request) => {
      if (request.method !== 'POST' || !request.headers.has('content-type')) return {}
      // The key is a field, so everybody is a stranger until the form is read.
      const { fields } = await readForm(request, stranger)
      return fields
    }
    const act = async (context: RequestContext, fields: Fields): Promise<Said> => {
      const { action = '', format, signature, password } = fields
      const asked = { context, fields, key: signature || password || keyIn(context) }
      if (format === 'jsonp' && !isCallback(callbackOf(fields))) throw malformed('Invalid callback parameter')
      if (action === 'shorturl') return shorten(asked)
      // A page of another site can load a script as the user that a proxy names.
      if (format === 'jsonp' && !asked.key) throw forbidden('The format jsonp needs "signature", the API key')
      const holder = await parts.identify(context, asked.key)
      const read = Object.hasOwn(reads, action) ? reads[action] : undefined
      if (!read) throw malformed('Unknown or missing "action" parameter')
      return read(asked, holder)
    }
    const handle: Handle = (context) => {
      let fields: Fields = Object.fromEntries(new URL(context.request.url).searchParams)
      return speaking(parts.log, (failure) => writeFailure(fields, failure))(async ({ request }) => {
        fields = { ...fields, ...(await formOf(request)) }
        return write(fields, await act(context, fields))
      })(context)
    }
    const path = '/yourls-api.php'
    return [api(`GET ${path}`, 'askYourls', handle), api(`POST ${path}`, 'sendYourls', handle)]
  }

/** YOURLS: one address for everything. Nothing changes on a GET. */
export const yourls = createYourls(false)

/** The same, but a GET with a key creates, too, as the program `yourls` of PyPI wants it. */
export const yourlsByGet = createYourls(true)

import { version } from '../../../package.json' with { type: 'json' }
import { publicName } from '../../format.ts'
import { json, textHeaders } from '../../http/answers.ts'
import { api, nothingHere, shared } from '../../http/routes.ts'
import { keyIn, type Protocol, type SayError, speaking, timeText } from './protocol.ts'

const plainText = (text: string, status = 200) => new Response(`${text}\n`, { status, headers: textHeaders })

const say: SayError = ({ status, message }) => plainText(message, status)

/** The client reads them all at once. */
const mostListed = 1000

/** What rustypaste has beside its uploads, which are those of this server. */
export const rustypaste: Protocol = (parts) => {
  const { guard, identify, uploadKey, pastesOfKey, pasteCreation, log } = parts
  const spoken = speaking(log, say)
  const erase = spoken(async (context) => {
    const holder = await identify(context, keyIn(context))
    const { id, owner } = await pastesOfKey.delete(holder, context.name)
    log('info', 'paste deleted', { id, owner, ...(owner !== holder.name && { by: holder.name }) })
    return plainText('file deleted')
  })
  return [
    api('GET /version', 'readVersion', () => plainText(version)),
    api(
      'GET /list',
      'listFiles',
      spoken(async (context) => {
        const { name } = await identify(context, keyIn(context))
        const { items } = await pastesOfKey.list(name, mostListed)
        const files = items.map((item) => ({
          file_name: publicName(item),
          file_size: item.bytes,
          creation_date_utc: timeText(item.createdAt),
          expires_at_utc: item.expiresAt === undefined ? null : timeText(item.expiresAt),
        }))
        return json(files)
      }),
    ),
    shared('DELETE /:name', 'deleteFile', (context) => {
      // Most names lead nowhere.
      if (keyIn(context) === null) throw nothingHere(context.request)
      return erase(context)
    }),
    // Files may have these names, too.
    ...[
      ['list', 'uploadList'],
      ['version', 'uploadVersion'],
    ].map(([name = '', operationId = '']) =>
      shared(`PUT /${name}`, operationId, async ({ request, server }) => {
        const context = { request, server }
        const holder = await guard(context, uploadKey(context), 'paste')
        return pasteCreation.upload({ ...context, holder, name })
      }),
    ),
  ]
}

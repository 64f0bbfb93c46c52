import { publicName } from '../../format.ts'
import { json } from '../../http/answers.ts'
import { maxLinkBodyBytes, readJsonObject } from '../../http/body.ts'
import { api } from '../../http/routes.ts'
import { parseWordyLifetime } from '../../items/durations.ts'
import { as, findSame, inOurWords, never, nothing, wrong } from './links.ts'
import { inTheirNames, keyIn, type Protocol, type SayError, speaking } from './protocol.ts'

const theirs = { url: 'target', alias: 'customurl', title: 'description', expiresIn: 'expire_in' }

/** Kutt says 400 for every fault of a field. */
const sayKutt: SayError = ({ status, message }) =>
  json({ error: inTheirNames(message, theirs) }, status === 409 || status === 422 ? 400 : status)

const kuttFields = {
  // Kutt completes an address without a scheme.
  target: (value: unknown) => ({
    url: typeof value === 'string' && value !== '' && !/^\w+:/.test(value) ? `http://${value}` : value,
  }),
  customurl: as('alias'),
  description: as('title'),
  expire_in: (value: unknown) => {
    const seconds = typeof value === 'string' ? parseWordyLifetime(value) : undefined
    if (value === null || value === '') return {}
    if (seconds) return { expiresIn: seconds }
    throw wrong('expire_in', 'must be a lifetime such as 10m, 8h or 42 days')
  },
  reuse: nothing('reuse', (value) => typeof value === 'boolean'),
  password: nothing('password', never),
  domain: nothing('domain', never),
}

const instantText = (time: number) => new Date(time).toISOString()

/** Kutt: creates short links. */
export const kutt: Protocol = (parts) => [
  api(
    'POST /api/v2/links',
    'createKuttLink',
    speaking(
      parts.log,
      sayKutt,
    )(async (context) => {
      const { guard, linkCreation, counts, origin } = parts
      const holder = await guard(context, keyIn(context, 'x-api-key'), 'shorten')
      const sent = await readJsonObject(context, maxLinkBodyBytes)
      const body = inOurWords(sent, kuttFields)
      const { reuse } = sent as { reuse?: unknown }
      const same = reuse === true ? await findSame(parts, holder, body) : undefined
      const link = same ?? (await linkCreation.store(context, body, holder)).item
      const address = publicName(link)
      const answer = {
        ...{ id: link.id, address, target: link.url, link: origin.addresses(context).link(address) },
        ...{ description: link.title || null, password: false, banned: false },
        ...{ visit_count: await counts.of('link', link.id), domain: null },
        expire_in: link.expiresAt === undefined ? null : instantText(link.expiresAt),
        created_at: instantText(link.createdAt),
        updated_at: instantText(link.changedAt ?? link.createdAt),
      }
      return json(answer, same ? 200 : 201)
    }),
  ),
]

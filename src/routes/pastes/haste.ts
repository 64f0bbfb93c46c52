import { json } from '../../http/answers/respond.ts'
import { sharedResource } from '../../http/cors.ts'
import type { HasteCreated } from '../../items/schema.ts'
import type { Pastes } from '../../services/pastes.ts'
import { createPublisher } from '../items/publish.ts'
import { idOf } from '../site/root-names.ts'
import type { PasteAnswers } from './paste-answers.ts'
import { readUpload } from './upload-body.ts'
import type { UploadParts } from './uploads.ts'

export type HasteRoutesParts = UploadParts & { pastes: Pick<Pastes, 'find'> }

/** The password, or the name where there is no password: `http://KEY@host` is all that some clients can be told. */
const basicKey = (credentials: string) => {
  const [, name = '', password = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  return password || name
}

/** The key in its own header, or as haste clients send it (RFC 6750, RFC 7617). */
const keyOf = ({ headers }: Request) => {
  const [, scheme = '', value = ''] =
    /^(bearer|basic) +([\w.~+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return headers.get('key') ?? (scheme.toLowerCase() === 'basic' ? basicKey(value) : value)
}

/** The API of hastebin: `POST /documents`, `GET /documents/<id>`, `GET /raw/<id>`. Its clients expect 200, not 201. */
export const hasteRoutes = (
  { guard, maxPasteBytes, ...parts }: HasteRoutesParts,
  { raw, haste }: Pick<PasteAnswers, 'raw' | 'haste'>,
) => {
  const publish = createPublisher(parts)
  const find = (id: string | null | undefined) => parts.pastes.find(idOf(id))

  return sharedResource('/documents', {
    post: async (context) => {
      const { name } = await guard(keyOf(context.request), 'paste')
      const body = await readUpload(context.request, '', maxPasteBytes)
      const { id, answer } = await publish(context, body, name)
      return json({ key: id } satisfies HasteCreated, 200, { 'Deletion-Url': answer.deletionUrl })
    },
  })
    .use(
      sharedResource('/documents/:id', {
        get: async ({ request, params }) => haste(request, await find(params.id)),
      }),
    )
    .use(
      sharedResource('/raw/:id', {
        get: async ({ request, params }) => raw(request, await find(params.id)),
      }),
    )
}

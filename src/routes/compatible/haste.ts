import { deletionOf, json } from '../../http/answers.ts'
import { api, open, reading, shared } from '../../http/routes.ts'
import type { HasteCreated } from '../../items/schema.ts'
import { createRootNames } from '../pastes/answer-paste.ts'
import type { Protocol } from './protocol.ts'

/** hastebin: its clients expect 200 instead of 201, and print the address of the server with `/<key>` or `/share/<key>`. */
export const haste: Protocol = ({ guard, hasteKey, pasteCreation, pasteAnswers, pastes, origin }) => {
  const toPage = createRootNames({ pastes, origin })
  return [
    api('POST /documents', 'createDocument', async ({ request, server }) => {
      const context = { request, server }
      const holder = await guard(context, hasteKey(context), 'paste')
      const { item, answer } = await pasteCreation.storeUpload(context, holder, { name: '' })
      return json({ key: item.id } satisfies HasteCreated, 200, deletionOf(answer))
    }),
    shared('GET /documents/:id', 'readDocument', reading(pasteAnswers.answerDocument)),
    shared('GET /raw/:id', 'readRawDocument', reading(pasteAnswers.answerRawDocument)),
    open('GET /share/:name', 'findShared', toPage),
    shared('GET /:name', 'findByName', toPage),
  ]
}

import { AppError } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { deletionOf, json } from '../../http/answers.ts'
import type { AnswerByName } from '../../http/listen.ts'
import { api, type Handle, open, type RouteContext, reading, shared } from '../../http/routes.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { HasteCreated } from '../../items/schema.ts'
import type { Pastes } from '../../services/pastes.ts'
import { createRootNames, redirectToPage } from '../pastes/answer-paste.ts'
import type { Protocol } from './protocol.ts'

/** The file store of haste-server has a file by the MD5 of its key, so an imported paste has that as its name. */
const importedName = (name: string) =>
  new Bun.CryptoHasher('md5').update(name.split('.', 1)[0] ?? '').digest('hex')

/** Where no paste has the key of an address, answers with the one that was imported from there. */
const orImported =
  (
    pastes: Pick<Pastes, 'find'>,
    handle: Handle,
    answer: (paste: StoredPaste, context: RouteContext) => ReturnType<Handle>,
  ): Handle =>
  async (context) => {
    try {
      return await handle(context)
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'not-found') throw error
      const paste = await pastes.find(importedName(context.name)).catch(() => undefined)
      if (paste) return answer(paste, context)
      throw error
    }
  }

/** hastebin: its clients expect 200 instead of 201, and print the address of the server with `/<key>` or `/share/<key>`. */
export const haste: Protocol = ({ guard, hasteKey, pasteCreation, pasteAnswers, pastes, origin }) => {
  const asId = ({ id }: StoredPaste, context: RouteContext) => ({ ...context, name: id })
  const reads = (answer: AnswerByName) => {
    const { handle } = reading(answer)
    return orImported(pastes, handle, (paste, context) => handle(asId(paste, context)))
  }
  const toPage = orImported(pastes, createRootNames({ pastes, origin }), (paste, context) =>
    redirectToPage(origin.addresses(context).paste(publicName(paste))),
  )
  return [
    api('POST /documents', 'createDocument', async ({ request, server }) => {
      const context = { request, server }
      const holder = await guard(context, hasteKey(context), 'paste')
      const { item, answer } = await pasteCreation.storeUpload(context, holder, { name: '' })
      return json({ key: item.id } satisfies HasteCreated, 200, deletionOf(answer))
    }),
    shared('GET /documents/:id', 'readDocument', reads(pasteAnswers.answerDocument)),
    shared('GET /raw/:id', 'readRawDocument', reads(pasteAnswers.answerRawDocument)),
    open('GET /share/:name', 'findShared', toPage),
    shared('GET /:name', 'findByName', toPage),
  ]
}

// A bare loop of the system calls of a durable creation: reads `Input` as JSON from standard input, prints its address.
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createIds, type ItemKind } from '../../../src/items/ids.ts'

export type CreateInput = {
  kind: ItemKind
  /** Holds `tmp` and a folder for every first two characters of an id. */
  folder: string
  /** What is stored beside the fields of the body. */
  common: object
  status: number
  headers: Record<string, string>
  body: string
  /** The id that stands in headers and body, to be replaced by the new one. */
  id: string
}

const { kind, folder, common, status, headers, body, id: oldId } = (await Bun.stdin.json()) as CreateInput
const { 'content-length': _, location = '', ...commonHeaders } = headers
const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))

const store = async (id: string, text: string) => {
  const temporary = join(folder, 'tmp', id)
  const target = join(folder, id.slice(0, 2))
  const file = await open(temporary, 'wx', 0o600)
  await file.write(Buffer.from(text))
  await file.sync()
  await file.close()
  await rename(temporary, join(target, `${id}.json`))
  const parent = await open(target, 'r')
  await parent.sync()
  await parent.close()
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch: async (request) => {
    const fields = (await request.json()) as object
    const id = ids.itemId(kind)
    await store(id, `{"crc32":"00000000","document":${JSON.stringify({ id, ...common, ...fields })}}`)
    return new Response(body.replaceAll(oldId, id), {
      status,
      headers: { ...commonHeaders, location: location.replace(oldId, id) },
    })
  },
})
console.log(`listening on http://127.0.0.1:${server.port}`)

// The baselines: bare `Bun.serve`s in a process of their own. `bun baselines.ts NAME` reads its input as JSON from standard
// input and prints its address.
import { mkdirSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createIds, type ItemKind, idAlphabet } from '../../src/items/ids.ts'

/** An answer of a server, without its `Date`. The body is in base64, as it came over the wire. */
export type Answer = { status: number; headers: Record<string, string>; body: string }

type Handle = (request: Request) => Response | Promise<Response>

const pathIn = (url: string) => url.slice(url.indexOf('/', 8))
const nothing = () => new Response('', { status: 404 })

type AnswerInput = Answer & { path: string; ifNoneMatch?: string }

/** One answer from memory; with a tag, to nobody but who sends that tag. */
const answer = ({ path, status, headers: given, body: base64, ifNoneMatch }: AnswerInput): Handle => {
  const { 'content-length': _, ...headers } = given
  const bytes = Buffer.from(base64, 'base64')
  const body = headers['content-encoding'] === undefined ? bytes.toString() : bytes
  const byPath = new Map([[path, { init: { status, headers }, body }]])
  return (request) => {
    const found = byPath.get(pathIn(request.url))
    if (!found) return nothing()
    if (ifNoneMatch === undefined) return new Response(found.body, found.init)
    return request.headers.get('if-none-match') === ifNoneMatch ? new Response(null, found.init) : nothing()
  }
}

/** Path → file of a link. */
type ReadInput = Answer & { files: Record<string, string> }

/** Open, read, parse, answer. */
const read = ({ files, status, headers: given }: ReadInput): Handle => {
  const byPath = new Map(Object.entries(files))
  const { 'content-length': _, location: __, ...common } = given
  return async ({ url }) => {
    const file = byPath.get(pathIn(url))
    if (file === undefined) return nothing()
    const { document } = JSON.parse(await readFile(file, 'utf8'))
    const headers = { ...common, location: document.url }
    return new Response(`<a href="${document.url}">Found</a>\n`, { status, headers })
  }
}

/** `common` is stored beside the fields of the body; `id` is in the answer and is replaced by the new one. */
type CreateInput = Answer & { kind: ItemKind; folder: string; common: object; id: string }

/** The system calls of a durable creation. */
const create = (input: CreateInput): Handle => {
  const { kind, folder, common, status, id: oldId } = input
  const { 'content-length': _, location = '', ...others } = input.headers
  const body = Buffer.from(input.body, 'base64').toString()
  const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  for (const name of ['tmp', ...[...idAlphabet].flatMap((a) => [...idAlphabet].map((b) => a + b))])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
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
  return async (request) => {
    const fields = (await request.json()) as object
    const id = ids.itemId[kind]()
    await store(id, `{"crc32":"00000000","document":${JSON.stringify({ id, ...common, ...fields })}}`)
    const headers = { ...others, location: location.replace(oldId, id) }
    return new Response(body.replaceAll(oldId, id), { status, headers })
  }
}

const baselines = { answer, read, create }
export type BaselineName = keyof typeof baselines

const fetch: Handle = baselines[process.argv[2] as BaselineName](await Bun.stdin.json())
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, fetch })
console.log(`listening on http://127.0.0.1:${server.port}`)

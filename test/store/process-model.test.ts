import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { type RunningServer, start, temporaryFolder, testKey } from '../support/process.ts'
import { quiet } from '../support/server.ts'

type Paste = { id: string; alias?: string; texts: string[]; left?: number; isGone: boolean }
/** Every paste that was made, oldest first. */
type Model = { pastes: Paste[] }

/** Servers on one store, and what ends one of them or all that they rely on; then everything runs again. */
type Site = { servers: RunningServer[]; strike: (which: number) => Promise<void>; run: number }

const startAgain = async (servers: RunningServer[], which: number, args: readonly string[]) => {
  const at = which % servers.length
  const { data } = servers[at] as RunningServer
  await servers[at]?.kill()
  servers[at] = await start({ data, args: [...quiet, ...args] })
}

const ready = async (servers: readonly RunningServer[]) => {
  for (const { url } of servers) while (!(await fetch(`${url}/readyz`)).ok) await Bun.sleep(20)
}

const openFolder = async (): Promise<Site> => {
  const servers = [await start({ data: join(temporaryFolder(), 'data'), args: quiet })]
  return { servers, strike: (which) => startAgain(servers, which, []), run: 0 }
}

const openDatabase = async (postgres: Postgres): Promise<Site> => {
  const args = ['--store', postgres.database()]
  const servers = [await start({ args: [...quiet, ...args] }), await start({ args: [...quiet, ...args] })]
  const strike = async (which: number) => {
    if (which % 3 < 2) return startAgain(servers, which, args)
    await postgres.stop()
    await postgres.open()
    await ready(servers)
  }
  return { servers, strike, run: 0 }
}

type Body = { deletionUrl?: string; paste?: object; pastes?: { id: string }[] }
type Answer = { status: number; text: string; body: Body }

/** Asks one of the servers. */
const ask = async ({ servers }: Site, via: number, method: string, path: string, body?: object) => {
  const { url } = servers[via % servers.length] as RunningServer
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { key: testKey, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, text, body: isJson ? JSON.parse(text) : {} } as Answer
}

type Command = fc.AsyncCommand<Model, Site>
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => `.${text}.`)
const any = fc.nat(999)

const create = (via: number, text: string, name: number, left?: number): Command => ({
  check: () => true,
  run: async ({ pastes }, site) => {
    // The first of them leave the paste without a name.
    const alias = name % 6 > 2 ? `run-${site.run}-${name % 6}` : undefined
    const isTaken = pastes.some((paste) => !paste.isGone && alias !== undefined && paste.alias === alias)
    const fields = { title: 'a', description: '', language: 'text', alias, maxReads: left }
    const { status, body } = await ask(site, via, 'POST', '/paste', { text, ...fields })
    expect(status).toBe(isTaken ? 409 : 201)
    if (isTaken) return
    // A deletion key begins with the id.
    const paste = { id: body.deletionUrl?.split('key=')[1]?.slice(0, 10) ?? '', texts: [text], isGone: false }
    pastes.push({ ...paste, ...(alias !== undefined && { alias }), ...(left !== undefined && { left }) })
  },
  toString: () => `create(${via}, ${JSON.stringify(text)}, ${name}, ${left})`,
})

/** A command about one of the pastes; mostly a late one. */
const about =
  (name: string, act: (paste: Paste, site: Site, via: number, text: string) => Promise<void>) =>
  (via: number, back: number, text: string): Command => ({
    check: ({ pastes }) => pastes.length > 0,
    run: ({ pastes }, site) => act(pastes.at(-1 - (back % pastes.length)) as Paste, site, via, text),
    toString: () => `${name}(${via}, ${back}, ${JSON.stringify(text)})`,
  })

const change = about('change', async (paste, site, via, text) => {
  const { status, body } = await ask(site, via, 'PATCH', `/pastes/${paste.id}`, { text })
  expect(status).toBe(paste.isGone ? 410 : paste.left === undefined ? 200 : 409)
  if (status !== 200) return
  // The same text is the same version.
  if (paste.texts.at(-1) !== text) paste.texts.push(text)
  expect(body.paste).toMatchObject({ text, version: paste.texts.length })
})

const erase = about('erase', async (paste, site, via) => {
  const { status } = await ask(site, via, 'DELETE', `/pastes/${paste.id}`)
  expect(status).toBe(paste.isGone ? 410 : 200)
  paste.isGone = true
})

const read = about('read', async (paste, site, via) => {
  const { status, text } = await ask(site, via, 'GET', `/p/raw/${paste.id}`)
  expect(status).toBe(paste.isGone ? 410 : paste.left === undefined ? 200 : 403)
  if (status === 200) expect(text).toBe(paste.texts.at(-1) as string)
})

const use = about('use', async (paste, site, via) => {
  if (paste.left === undefined) return
  const { status, text } = await ask(site, via, 'POST', `/p/raw/${paste.id}`)
  expect(status).toBe(paste.isGone ? 410 : 200)
  if (paste.isGone) return
  expect(text).toBe(paste.texts[0] as string)
  paste.left--
  paste.isGone = paste.left === 0
})

const readFormer = about('readFormer', async (paste, site, via) => {
  const former = paste.texts.length - 1
  if (former === 0) return
  const { status, body } = await ask(site, via, 'GET', `/pastes/${paste.id}/versions/${former}`)
  expect(status).toBe(paste.isGone ? 410 : 200)
  if (!paste.isGone) expect(body.paste).toMatchObject({ text: paste.texts[former - 1] })
})

/** Names lead to what has them, and the list has what lives. */
const look = (via: number): Command => ({
  check: () => true,
  run: async ({ pastes }, site) => {
    const living = pastes.filter(({ isGone }) => !isGone)
    for (const { id, alias } of living)
      if (alias !== undefined)
        expect((await ask(site, via, 'GET', `/pastes/${alias}`)).body.paste).toMatchObject({ id })
    const { body } = await ask(site, via, 'GET', '/pastes?limit=200')
    const own = new Set(pastes.map(({ id }) => id))
    const listed = body.pastes?.map(({ id }) => id).filter((id) => own.has(id)) ?? []
    expect(listed.toSorted()).toEqual(living.map(({ id }) => id).toSorted())
  },
  toString: () => `look(${via})`,
})

const strike = (which: number): Command => ({
  check: () => true,
  run: (_, site) => site.strike(which),
  toString: () => `strike(${which})`,
})

const abouts = [change, change, erase, read, use, use, readFormer]
const anyCommands = fc.commands(
  [
    fc
      .tuple(any, anyText, any, fc.constantFrom(undefined, undefined, 1, 2, 3))
      .map((given) => create(...given)),
    ...abouts.map((make) => fc.tuple(any, any, anyText).map((given) => make(...given))),
    any.map(look),
    any.map(strike),
  ],
  { maxCommands: 60, size: 'max' },
)

const doAsModel = (site: Site) =>
  fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      site.run++
      const model: Model = { pastes: [] }
      await fc.asyncModelRun(() => ({ model, real: site }), commands)
      for (const which of site.servers.keys()) {
        await look(which).run(model, site)
        for (const at of model.pastes.keys()) await read(which, at, '').run(model, site)
      }
    }),
    // A server is started in each of them: smaller examples would take minutes.
    { numRuns: 8, endOnFailure: true },
  )

describe('what is kept', () => {
  let postgres: Postgres
  beforeAll(async () => {
    if (hasPostgres) postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres?.stop()
  })
  const stop = ({ servers }: Site) => Promise.all(servers.map((server) => server.stop()))

  test('by a folder is what a list in memory would, while its server is killed', async () => {
    const site = await openFolder()
    await doAsModel(site)
    await stop(site)
  })

  test.if(hasPostgres)(
    'by two servers on a database is that too, while it is restarted as well',
    async () => {
      const site = await openDatabase(postgres)
      await doAsModel(site)
      await stop(site)
    },
  )
})

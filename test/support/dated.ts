import { join } from 'node:path'
import Type from 'typebox'
import { compileCheck } from '../../src/items/field.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import type { Place } from '../../src/store/store.ts'
import { newPath } from './store.ts'

const check = compileCheck(
  Type.Object({ id: Type.String(), owner: Type.String(), createdAt: Type.Integer() }),
)
type Dated = { id: string; owner: string; createdAt: number }

/** The one owner there is. */
const owner = 'ann'

/** A data folder of dated notes with its index; `boot` as the machine would tell. */
export const openDated = async ({ path = newPath(), boot = 'boot-1' } = {}) => {
  const reports: string[] = []
  const folder = await openDataFolder(path, 'a test', () => {})
  const items = folder.items({
    boot,
    now: () => 0,
    report: (_, event, fields) => reports.push(`${event} ${JSON.stringify(fields ?? {})}`),
    onDamage: ({ message }) => reports.push(message),
  })
  const ids: string[] = []
  const isId = (name: string) => /^[a-z0-9]{2,13}$/.test(name)
  const newId = () => ids.shift() ?? ''
  const store = items.store<Dated>('notes', { check, cacheBytes: 1_000_000, newId, isId })
  const page = (count: number, before?: Place) => store.list(owner, count, before)
  return {
    path,
    store,
    items,
    reports,
    /** Where the index lies. */
    file: join(path, 'index.sqlite'),
    fileOf: (id: string) => join(path, 'notes', id.slice(0, 2), `${id}.json`),
    add: (id: string, createdAt: number) => {
      ids.push(id)
      return store.create({ owner, createdAt })
    },
    erase: (id: string, createdAt: number) => store.erase({ id, owner, createdAt }),
    page: async (count: number, before?: Place) => (await page(count, before)).map(({ id }) => id),
    /** Page after page, newest first. */
    all: async (count = 200) => {
      const found: string[] = []
      for (let before: Place | undefined; ; ) {
        const some = await page(count, before)
        found.push(...some.map(({ id }) => id))
        before = some.at(-1)
        if (some.length < count) return found
      }
    },
    stop: async () => {
      await items.close()
      folder.close()
    },
  }
}

/** Fills a folder and dies as by kill -9: nobody has said that everything is in order. @returns the folder */
export const fillAndDie = async (count: number, parts: { path?: string; boot?: string } = {}) => {
  const path = parts.path ?? newPath()
  const script = `
    import { fill } from ${JSON.stringify(import.meta.path)}
    const dated = await fill(${count}, ${JSON.stringify({ boot: 'boot-1', ...parts, path })})
    await dated.all()
    process.kill(process.pid, 'SIGKILL')`
  const { signalCode, stderr } = Bun.spawnSync([process.execPath, '-e', script])
  if (signalCode !== 'SIGKILL') throw new Error(String(stderr))
  return path
}

export const idOf = (at: number) => `n${String(at).padStart(5, '0')}`

/** Notes of one millisecond after the other. */
export const fill = async (count: number, given: Parameters<typeof openDated>[0] = {}) => {
  const dated = await openDated(given)
  const adding = Array.from({ length: count }, (_, at) => dated.add(idOf(at), 1_700_000_000_000 + at))
  await Promise.all(adding)
  return dated
}

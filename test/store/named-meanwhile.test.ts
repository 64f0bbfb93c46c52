import { expect, test } from 'bun:test'
import { createWriteStream, renameSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '../../src/services/items.ts'
import { shardOf } from '../../src/store/disk.ts'
import { aliasShard } from '../../src/store/documents/item-store.ts'
import { writeArchive } from '../../src/store/folder/archive.ts'
import { mirrorFolder } from '../../src/store/folder/standby.ts'
import { createClient } from '../support/client.ts'
import { run, start, temporaryFolder } from '../support/process.ts'

type Parts = Parameters<typeof writeArchive>[0]

/** Copies a folder of which another process makes this copy: into a file for `restore`, or as a mirror. */
const copies: Record<string, (parts: Parts, copy: string) => Promise<unknown>> = {
  backup: async (parts, copy) => {
    const file = `${copy}.tar`
    await writeArchive(parts, { began: 0 }, createWriteStream(file))
    expect(await run(['restore', file, '--data', copy])).toMatchObject({ code: 0 })
  },
  mirror: (parts, target) => mirrorFolder(parts, target, false),
}

test.each(Object.keys(copies))(
  'a %s beside a server has the name of each item in it, also of one created after the names were read',
  async (kind) => {
    const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const client = createClient(server.url)
    await client.paste({ text: 'early', alias: 'early' })
    const { deletionUrl = '' } = await client.paste({ text: 'late', alias: 'late' })
    await server.stop()
    const id = new URL(deletionUrl).searchParams.get('key')?.slice(0, 10) ?? ''
    const aside = temporaryFolder()
    const places = [join('aliases/pastes', aliasShard('late')), join('pastes', shardOf(id), `${id}.json`)]
    const moveAll = (from: (at: number) => string, to: (at: number) => string) =>
      places.forEach((_, at) => {
        renameSync(from(at), to(at))
      })
    const here = (at: number) => join(server.data, places[at] ?? '')
    const away = (at: number) => join(aside, `${at}`)
    moveAll(here, away)
    let files = 0
    // The first file is a name, where names come first.
    const onFile = () => {
      if (files++ === 0) moveAll(away, here)
    }
    const copy = join(temporaryFolder(), 'copy')
    const parts = { folder: server.data, rules: collections, onFile, stop: new AbortController().signal }
    await copies[kind]?.(parts, copy)
    const { code, stdout } = await run(['verify', '--data', copy])
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('name')])
    const restored = await start({ data: copy })
    expect(await (await fetch(`${restored.url}/p/raw/late`)).text()).toBe('late')
    await restored.stop()
  },
)

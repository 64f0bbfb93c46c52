import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypeScript, { astToString } from 'openapi-typescript'
import { repository, start, temporaryFolder, testKey } from '../support/process.ts'

/** What a program of somebody else looks like that is written against the description alone. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { key } })

const paste = await client.POST('/paste', {
  body: { text: 'a', title: 'typed', description: '', language: 'C++', alias: 'typed', maxReads: 3, expiresIn: '7d' },
})
const link = await client.POST('/shortener', { body: { url: 'http://nas/', expiresIn: 3600 } })
const expiresAt: string | undefined = paste.data?.expiresAt

const pastes = await client.GET('/pastes', { params: { query: { limit: 10 } } })
const links = await client.GET('/links')
const titles: string[] | undefined = pastes.data?.pastes.map(({ title }) => title)
const visits: number[] | undefined = links.data?.links.map(({ visits }) => visits)

const deletionKey = new URL(link.data?.deletionUrl ?? '').searchParams.get('key') ?? ''
const deleted = [
  await client.DELETE('/pastes/{id}', { params: { path: { id: 'typed' } } }),
  await client.DELETE('/shortener/delete', { params: { query: { key: deletionKey } } }),
]
const refused = await client.POST('/shortener', { body: { url: 'nas' } })
const error: string | undefined = refused.error?.error

// @ts-expect-error a paste has a text
client.POST('/paste', { body: { title: '' } }).catch(() => {})

console.log(JSON.stringify([typeof expiresAt, titles, visits, deleted.map(({ data }) => data?.message), error]))
`

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  ...{ target: 'esnext', module: 'preserve', lib: ['esnext', 'dom'], types: ['bun-types'] },
}

test('a client that openapi-typescript generates compiles, and creates, lists and deletes', async () => {
  const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
  const folder = temporaryFolder()
  const description = await (await fetch(`${server.url}/openapi.json`)).text()
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await Bun.write(join(folder, 'api.ts'), astToString(await openapiTypeScript(description)))
  await Bun.write(join(folder, 'client.ts'), program)
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
  const run = (...command: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder })
    return { exitCode, said: `${stdout}${stderr}`.trim() }
  }

  expect(run(process.execPath, join(repository, 'node_modules/typescript-7/bin/tsc'), '-p', folder)).toEqual({
    exitCode: 0,
    said: '',
  })
  expect(run(process.execPath, 'client.ts', server.url, testKey)).toEqual({
    exitCode: 0,
    said: JSON.stringify([
      'string',
      ['typed'],
      [0],
      ['The paste was deleted', 'The short link was deleted'],
      'Invalid URL format: it must begin with http:// or https://.',
    ]),
  })
  await server.stop()
})

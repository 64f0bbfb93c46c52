import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, run, start, temporaryFolder } from '../support/process.ts'
import { blocksOf } from '../support/shown-commands.ts'
import { newUser } from '../support/user.ts'

const [setup = '', upload = '', paste = '', users = ''] = blocksOf(
  readFileSync(join(repository, 'docs/guests.md'), 'utf8'),
  'sh',
)
/** The words after the name of the program. */
const wordsOf = (line = '') => line.trim().split(' ').slice(1)

test('the commands of docs/guests.md let a guest create', async () => {
  const data = temporaryFolder()
  const [add, serve] = setup.split('\n')
  expect((await run([...wordsOf(add), '--data', data])).code).toBe(0)
  const server = await start({ data, args: wordsOf(serve) })
  const [uploading, pasting] = [upload, paste].map((shown) => {
    expect(shown).toContain('http://127.0.0.1:8080')
    return shown.replace('http://127.0.0.1:8080', server.url)
  })
  const { stdout } = Bun.spawnSync(['sh', '-c', uploading ?? ''])
  expect(stdout.toString()).toStartWith(`${server.url}/p/`)
  const pasted = await newUser().run(wordsOf(pasting?.split('|')[1]), { stdin: 'a text' })
  expect(pasted.stdout).toStartWith(`${server.url}/p/`)
  expect((await run(['keys', 'list', '--data', data])).stdout).toMatch(/^guests.* 2 items /m)
  await server.stop()
})

test('the command of docs/guests.md takes the user of a proxy', async () => {
  const server = await start({ args: wordsOf(users) })
  const answer = await fetch(`${server.url}/key`, { headers: { 'Remote-User': 'alice' } })
  expect(await answer.json()).toMatchObject({ name: 'user:alice' })
  await server.stop()
})

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, run, start, temporaryFolder } from '../support/process.ts'
import { blocksOf } from '../support/shown-commands.ts'

const [setup = '', upload = '', users = ''] = blocksOf(
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
  const command = upload.replace('http://127.0.0.1:8080', server.url)
  expect(command).not.toBe(upload)
  const { stdout } = Bun.spawnSync(['sh', '-c', command])
  expect(stdout.toString()).toStartWith(`${server.url}/p/`)
  expect((await run(['keys', 'list', '--data', data])).stdout).toMatch(/^guests.* 1 item /m)
  await server.stop()
})

test('the command of docs/guests.md takes the user of a proxy', async () => {
  const server = await start({ args: wordsOf(users) })
  const answer = await fetch(`${server.url}/key`, { headers: { 'Remote-User': 'alice' } })
  expect(await answer.json()).toMatchObject({ name: 'user:alice' })
  await server.stop()
})

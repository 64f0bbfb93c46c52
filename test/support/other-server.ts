import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import { cleanEnv, keep, target, temporaryFolder } from './process.ts'

type Words = Record<string, string>

/** Replaces each `{name}` that has a value. */
export const fill = (words: string, values: Words) =>
  words.replace(/\{([a-z]+)\}/g, (all, name: string) => values[name] ?? all)
export const fillAll = (all: Words = {}, values: Words): Words =>
  Object.fromEntries(Object.entries(all).map(([name, words]) => [name, fill(words, values)]))

/** How a server is started. In all words, `{port}` and `{data}` (a folder of its own) are filled in. */
export type Recipe = {
  /** The word `{program}` stands for what is tested. */
  command: readonly string[]
  env?: Words
  /** Name in the data folder → what is written there before the start. */
  files?: Words
  /** Where it works; in its data folder when left out. */
  cwd?: string
  /** The path that it answers without an error once it is ready; `/` when left out. */
  front?: string
}

const commandOf = ({ command }: Recipe, values: Words) =>
  command.flatMap((word) => (word === '{program}' ? target : fill(word, values)))

/** Bytes of a program, or of its folder and of what runs it. */
export const programBytes = ({ peer, path }: { peer: Recipe; path: string }) => {
  const files = new Set([Bun.which(commandOf(peer, { path })[0] ?? '') ?? '', path])
  const { stdout } = Bun.spawnSync(['du', '--dereference-args', '--bytes', '--total', ...files])
  return Number(/^(\d+)\ttotal$/m.exec(`${stdout}`)?.[1])
}

/** Tries every millisecond. @throws when the server ends or takes more than 10 s */
const firstAnswer = async (address: string, child: Bun.Subprocess) => {
  for (const until = performance.now() + 10_000; performance.now() < until; await Bun.sleep(1)) {
    if (child.exitCode !== null) throw new Error(`did not start: it ended with ${child.exitCode}`)
    const init = { redirect: 'manual', signal: AbortSignal.timeout(5000) } as const
    const answer = await fetch(address, init).catch(() => undefined)
    if (answer && answer.status < 400) return void (await answer.arrayBuffer())
  }
  throw new Error('did not start: no answer within 10 s')
}

/** Starts a server that cannot choose a port itself. @returns after its first answer, which took `startMs` */
export const startOther = async (closers: AsyncDisposableStack, recipe: Recipe, more: Words = {}) => {
  const data = temporaryFolder()
  const values = { ...more, port: `${freePort()}`, data }
  for (const [name, words] of Object.entries(fillAll(recipe.files, values)))
    writeFileSync(join(data, name), words)
  const began = performance.now()
  const child = Bun.spawn(commandOf(recipe, values), {
    cwd: fill(recipe.cwd ?? data, values),
    env: cleanEnv(fillAll(recipe.env, values)),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  keep(child)
  closers.defer(async () => {
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    // One that no longer answers may not end either.
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    await child.exited
    clearTimeout(timer)
  })
  const url = `http://127.0.0.1:${values.port}`
  await firstAnswer(url + (recipe.front ?? '/'), child)
  return { url, child, startMs: performance.now() - began }
}

/** The headers and the body of an answer as text; a redirect is not followed. @throws for a status above 399, and after 10 s */
export const answerText = async (address: string, init: RequestInit = {}) => {
  const identity = { 'Accept-Encoding': 'identity', ...(init.headers as Words) }
  const limits = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const
  const response = await fetch(address, { ...init, ...limits, headers: identity })
  if (response.status >= 400) throw new Error(`${new URL(address).pathname} is answered ${response.status}`)
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}\n${await response.text()}`
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/process.ts'
import type { Answer } from './answers.ts'
import { nginxConfig } from './limits/nginx.ts'
import { childrenOf } from './memory.ts'
import { pathOf } from './requirements.ts'

/** A process that answers HTTP. */
export type Running = {
  url: string
  /** Of the process that answers. */
  pid: number
  stop: () => Promise<unknown>
}

const children = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Ends it with the bench at the latest. @returns what ends it */
export const keep = (child: Bun.Subprocess) => {
  children.add(child)
  child.exited.then(() => children.delete(child))
  return () => {
    child.kill('SIGTERM')
    return child.exited
  }
}

/** Starts one of `limits/`, with what it reads from standard input, and waits until it listens. */
export const startLimit = async (name: string, input: object): Promise<Running> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'limits', `${name}.ts`)], {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const stop = keep(child)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    const url = /listening on (\S+)\n/.exec(text)?.[1]
    if (url !== undefined) return { url, pid: child.pid, stop }
  }
  throw new Error(`the limit "${name}" did not start: ${text}`)
}

const freePort = () => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = server
  server.stop(true)
  return port
}

/** nginx tells nobody when it listens. */
const waitForAnswer = async (url: string, child: Bun.Subprocess) => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined)
    if (response) return
    await Bun.sleep(10)
  }
}

/** Starts nginx with one worker that answers as the product did. */
export const startNginx = async (answer: Answer): Promise<Running> => {
  const folder = temporaryFolder()
  const port = freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, nginxConfig(folder, port, answer))
  const child = Bun.spawn([pathOf('nginx') ?? 'nginx', '-p', folder, '-e', 'stderr', '-c', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = keep(child)
  const url = `http://127.0.0.1:${port}`
  await waitForAnswer(url, child)
  const [worker] = childrenOf(child.pid)
  if (worker === undefined) throw new Error('nginx has no worker')
  return { url, pid: worker, stop }
}

/** A Bun process that answers each message with a number. */
export const startWorker = (name: string) => {
  let settle: (value: number) => void = () => {}
  let refuse: (reason: Error) => void = () => {}
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'limits', `${name}.ts`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ipc: (value) => settle(value as number),
    onExit: () => refuse(new Error(`the limit "${name}" ended by itself`)),
  })
  const stop = keep(child)
  const ask = (message: string) =>
    new Promise<number>((resolve, reject) => {
      ;[settle, refuse] = [resolve, reject]
      child.send(message)
    })
  return { ask, stop }
}

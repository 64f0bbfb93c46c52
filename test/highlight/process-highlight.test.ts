import { describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { openHighlighted, openPage, shortJson } from '../support/pages.ts'
import { cleanEnv, follow, start, target, temporaryFolder } from '../support/process.ts'

const unlimited = ['--rate-limit', 'off']

/** TypeScript that could all be type arguments: each line of 990 characters takes the grammar about half a second. */
const hostile = { language: 'typescript', text: `${'a<'.repeat(495)}\n`.repeat(300) }

/** Looks every few milliseconds: nothing tells of a process that is no child of one's own. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await Bun.sleep(5)
}

/** What a page shows of the text, without what stands before it. */
const codeOf = ({ status, body }: Awaited<ReturnType<typeof openPage>>) => {
  const at = body.indexOf('id="code"')
  expect(at).toBeGreaterThan(0)
  return { status, code: body.slice(at) }
}

describe('a paste that is too slow to highlight', () => {
  test('is shown plain within the deadline, while links are followed as fast as ever', async () => {
    const server = await start({ args: unlimited })
    const { paste, link, get } = createClient(server.url)
    const [slow, { shortendUrl = '' }] = [await paste(hostile), await link()]
    let isShown = false
    const opening = openPage(server, slow).finally(() => {
      isShown = true
    })
    const waits: number[] = []
    while (!isShown) {
      const asked = performance.now()
      expect((await get(shortendUrl)).status).toBe(302)
      waits.push(performance.now() - asked)
    }
    const { status, body, isHighlighted } = await opening
    expect(status).toBe(200)
    expect(body.split('a&lt;'.repeat(495)).length - 1).toBe(300)
    expect(isHighlighted).toBe(false)
    expect(waits.length).toBeGreaterThan(50)
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(50)
    // Beside much other work, a process of low priority has a minute before it has had its 1.8 s of the processor.
    await server.stderr.waitFor(
      /warn paste shown plain why="(?:stopped after 1800|did not end within 60000) ms"\n/,
    )
    await server.stop()
  })

  test('is tried once, and spoils no other', async () => {
    const server = await start({ args: unlimited })
    const { paste } = createClient(server.url)
    const slow = await paste(hostile)
    const first = await openPage(server, slow)
    // On a busy machine the reader waits for the grammar, and is answered before the job has failed.
    await server.stderr.waitFor(/paste shown plain/)
    // Its notice may say "late" at first, and "failed" from then on.
    expect(codeOf(await openPage(server, slow))).toEqual(codeOf(first))
    expect(server.stderr.text().match(/paste shown plain/g)).toHaveLength(1)
    await openHighlighted(server)
    await server.stop()
  })
})

describe.skipIf(process.platform !== 'linux')('the highlighting process', () => {
  const childrenOf = (pid: number) =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )

  /** What stands in `/proc/PID/stat` from the state on, also of a thread; `undefined` for one that ended. */
  const statOf = (pid: number | string) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return fields[0] === 'Z' ? undefined : fields
    } catch {
      return undefined
    }
  }
  /** Hundredths of a second that the process kept a core busy. */
  const busyTime = (pid: number) => Number(statOf(pid)?.[11])

  /** 0 for most threads; the larger, the later it gets a core that others want as well. */
  const nicenesses = (pid: number) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => Number(statOf(`${pid}/task/${thread}`)?.[16]))

  const startWithChild = async () => {
    const server = await start({ args: unlimited })
    expect(childrenOf(server.pid)).toEqual([])
    await openHighlighted(server)
    const [child = 0, ...others] = childrenOf(server.pid)
    expect(others).toEqual([])
    expect(statOf(child)).toBeDefined()
    return { server, child }
  }

  test('starts when a paste is created that has colours, before anybody reads it', async () => {
    const server = await start({ args: unlimited })
    const { paste } = createClient(server.url)
    await paste({ ...shortJson, language: 'text' })
    expect(childrenOf(server.pid)).toEqual([])
    await paste(shortJson)
    await until(() => childrenOf(server.pid).length === 1)
    await server.stop()
  })

  test.skipIf(target.length > 1)('is the file that runs, also when an upgrade has removed it', async () => {
    const program = join(temporaryFolder(), 'shortcrust')
    copyFileSync(target[0] ?? '', program)
    const server = await start({ args: unlimited, program: [program] })
    rmSync(program)
    const paste = await openHighlighted(server)
    expect(await openPage(server, paste)).toMatchObject({ status: 200, isHighlighted: true })
    await server.stop()
  })

  test('is one, however many short pastes are opened at once', async () => {
    const { server, child } = await startWithChild()
    const { paste } = createClient(server.url)
    const pastes = [
      await paste({ ...shortJson, text: '[1]' }),
      await paste({ ...shortJson, text: '[2]' }),
      await paste({ ...shortJson, text: '[3]' }),
    ]
    const pages = await Promise.all(pastes.map((made) => openPage(server, made)))
    expect(pages.map(({ isHighlighted }) => isHighlighted)).toEqual([true, true, true])
    expect(childrenOf(server.pid)).toEqual([child])
    await server.stop()
  })

  test('gets a core after the server, and so does each of its threads', async () => {
    const { server, child } = await startWithChild()
    const [own = 0] = nicenesses(server.pid)
    expect(new Set(nicenesses(child))).toEqual(new Set([Math.min(own + 10, 19)]))
    await server.stop()
  })

  test.each(['stop', 'kill'] as const)('that is idle does not outlive the server: %s', async (how) => {
    const { server, child } = await startWithChild()
    await server[how]()
    await until(() => statOf(child) === undefined)
  })

  test('in the middle of a hostile paste does not outlive a parent that is killed', async () => {
    // Not a server: that ends the job after 1.8 s, in which a child on a busy machine gets next to nothing done.
    const script = `
      const child = Bun.spawn(${JSON.stringify([...target, 'highlight-child'])}, {
        stdio: ['ignore', 'ignore', 'ignore'],
        ipc: (message) => message.isStarted && console.log(child.pid),
      })
      child.send(await Bun.stdin.json())
    `
    const stdin = Buffer.from(JSON.stringify(hostile))
    const parent = Bun.spawn([process.execPath, '-e', script], { env: cleanEnv({}), stdin, stdout: 'pipe' })
    const [started] = await follow(parent.stdout).waitFor(/^\d+(?=\n)/)
    const child = Number(started)
    const before = busyTime(child)
    parent.kill('SIGKILL')
    let last = before
    await until(() => {
      const now = busyTime(child)
      if (now > last) last = now
      return statOf(child) === undefined || last - before >= 500
    })
    // Of a core, not of a clock: the whole paste would take it 150 s.
    expect(last - before).toBeLessThan(500)
  })
})

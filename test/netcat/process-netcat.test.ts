import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { netcatPort, openNetcat, sendText, withNetcat } from '../support/netcat.ts'
import { freePort } from '../support/ports.ts'
import { repository, run, start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet, withServer } from '../support/server.ts'
import { blocksOf } from '../support/shown-commands.ts'

const textAt = async (address: string) => (await fetch(address.replace('/p/', '/p/raw/'))).text()
const pasteAt = async (address: string) =>
  (await fetch(address, { headers: { Accept: 'application/json' } })).json()

describe('a text sent by netcat', () => {
  const { server } = withServer({ args: ['--rate-limit', 'off', ...withNetcat] })
  let port: number
  beforeAll(async () => {
    port = await netcatPort(server)
  })
  const send: (
    ...sending: [string | Uint8Array, { keepsOpen?: boolean; from?: string }?]
  ) => Promise<string> = (...sending) => sendText(port, ...sending)

  /** The pastes of the guest key, newest first. */
  const ownIds = async () => {
    const answer = await fetch(`${server.url}/pastes`, { headers: { key: testKey } })
    return ((await answer.json()) as { pastes: { id: string }[] }).pastes.map(({ id }) => id)
  }

  test('is answered with the address of its page and a line end, once its sender closes its half', async () => {
    const text = 'Zeile 1\r\n\tzwei\0\ufeff\n'
    const answer = await send(text)
    expect(answer).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/p\/[a-z0-9]{10}\n$/)
    expect(answer).toStartWith(server.url)
    expect(await textAt(answer.trim())).toBe(text)
  })

  test('is answered after a second of silence as well', async () => {
    const answer = await send('silent', { keepsOpen: true })
    expect(await textAt(answer.trim())).toBe('silent')
  })

  test('belongs to the guest key, has no title, and its language is detected', async () => {
    const text = '{"a": [1, 2, 3], "b": {"c": null}}\n'
    const answer = await send(text)
    expect(await pasteAt(answer.trim())).toMatchObject({ text, title: '', description: '', language: 'json' })
    const id = answer.trim().split('/').at(-1) ?? ''
    expect(await ownIds()).toContain(id)
    await server.stderr.waitFor(
      new RegExp(`info paste created id=${id} owner=environment client=127\\.0\\.0\\.1\\n`),
    )
  })

  test('may be as long as the largest paste, and is read no further', async () => {
    const largest = 'x'.repeat(1024 ** 2)
    expect((await textAt((await send(largest)).trim())).length).toBe(1024 ** 2)
    const refusal = 'The text is larger than 1 MiB, the limit of this server. Nothing was stored.\n'
    expect(await send(`${largest}y`)).toBe(refusal)
  })

  test('that never ends is answered while it is being sent', async () => {
    const { socket, answer, close } = await openNetcat(port)
    const pour = () => {
      while (socket.writable && socket.write('x'.repeat(65_536)));
    }
    socket.on('drain', pour)
    pour()
    expect(await answer).toBe(
      'The text is larger than 1 MiB, the limit of this server. Nothing was stored.\n',
    )
    close()
  })

  test('that is binary, or nothing, is refused with one line', async () => {
    const binary = 'This is not UTF-8 text. Nothing was stored; convert it first, for example with iconv.\n'
    expect(await send(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]))).toBe(binary)
    expect(await send('')).toBe('The text is empty. Nothing was stored.\n')
  })

  test('that is a request of HTTP makes no paste, and a browser or curl shows one line', async () => {
    const before = await ownIds()
    const line = `This port takes text from netcat, not HTTP. The pages are at ${server.url}`
    for (const init of [{}, { method: 'POST', body: 'a text of a page' }]) {
      const response = await fetch(`http://127.0.0.1:${port}/p/x`, init)
      expect(response.status).toBe(400)
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
      expect(await response.text()).toBe(`${line}\n`)
    }
    expect(await ownIds()).toEqual(before)
  })

  test('is stored even if its sender does not wait for the answer', async () => {
    const connection = await openNetcat(port, { from: '127.0.0.7' })
    await connection.write('unread')
    connection.end()
    connection.close()
    const [, id = ''] = await server.stderr.waitFor(/paste created id=(\S+) .*client=127\.0\.0\.7\n/)
    expect(await textAt(`${server.url}/p/${id}`)).toBe('unread')
  })

  test.skipIf(!requireProgram('nc', 'netcat-openbsd'))('by the real nc prints the address', async () => {
    for (const flags of [[], ['-N']]) {
      const nc = Bun.spawn(['nc', ...flags, '127.0.0.1', `${port}`], {
        stdin: Buffer.from('by nc\n'),
        stdout: 'pipe',
      })
      const printed = await new Response(nc.stdout).text()
      expect(await nc.exited).toBe(0)
      expect(await textAt(printed.trim())).toBe('by nc\n')
    }
  })

  test.skipIf(!requireProgram('nc', 'netcat-openbsd'))('by nc without an end prints why', async () => {
    const shell = Bun.spawn(['sh', '-c', `yes | nc 127.0.0.1 ${port}`], { stdout: 'pipe', stderr: 'ignore' })
    expect(await new Response(shell.stdout).text()).toBe(
      'The text is larger than 1 MiB, the limit of this server. Nothing was stored.\n',
    )
    await shell.exited
  })
})

test('what was answered is there after kill -9', async () => {
  const args = [...quiet, ...withNetcat]
  const first = await start({ args })
  const port = await netcatPort(first)
  const answer = await sendText(port, 'durable')
  await first.kill()
  const second = await start({ args, data: first.data })
  expect(await textAt(answer.trim().replace(first.url, second.url))).toBe('durable')
  await second.stop()
})

describe('the rate', () => {
  const { server } = withServer({ args: [...withNetcat, '--log', 'off', '--metrics', '127.0.0.1:0'] })

  test('counts for each address, takes nothing for what is no text, and is said in seconds', async () => {
    const port = await netcatPort(server)
    await sendText(port, '')
    await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    for (let sent = 0; sent < 3; sent++) expect(await sendText(port, `${sent}`)).toStartWith(server.url)
    expect(await sendText(port, 'too many')).toMatch(
      /^Rate limit exceeded: 3 requests per 15 seconds\. Try again in \d+ s\.\n$/,
    )
    expect(await sendText(port, 'another', { from: '127.0.0.2' })).toStartWith(server.url)
  })

  test('shows in the metrics, as what is created does', async () => {
    const [, metrics = ''] = await server.stdout.waitFor(/metrics: (http\S+)/)
    const text = await (await fetch(metrics)).text()
    expect(text).toContain('shortcrust_items_created_total{kind="paste"} 4\n')
    expect(text).toContain('shortcrust_rate_limit_refusals_total 1\n')
  })
})

describe('a sender that may not create', () => {
  test('is told so before it has sent anything', async () => {
    const server = await start({
      args: [
        '--log',
        'off',
        '--netcat',
        '127.0.0.1:0',
        '--guest-from',
        '10.0.0.0/8',
        '--guest-key',
        'environment',
      ],
    })
    const stranger = await openNetcat(await netcatPort(server))
    expect(await stranger.answer).toBe(
      '127.0.0.1 may not create without a key here. Send the text with curl and an API key.\n',
    )
    stranger.close()
    await server.stop()
  })

  test('because the guest key was revoked or has expired is told so', async () => {
    const data = temporaryFolder()
    const keys = (...words: string[]) => run(['keys', ...words, '--data', data])
    await keys('add', 'guests', '--create')
    const flags = ['--netcat', '127.0.0.1:0', '--guest-from', '127.0.0.0/8', '--guest-key', 'guests']
    const server = await start({ args: [...quiet, ...flags], data })
    const port = await netcatPort(server)
    expect(await sendText(port, 'before')).toStartWith(server.url)
    const early = await openNetcat(port)
    await keys('revoke', 'guests')
    early.socket.end('sent after')
    expect(await early.answer).toContain('the key "guests", which stands for guests, does not exist')
    expect(await sendText(port, 'after')).toMatch(/^No key is needed from here, but .*\n$/)
    await server.stop()
  })

  test('because its key is for links alone is told so', async () => {
    const data = temporaryFolder()
    await run(['keys', 'add', 'guests', '--only', 'shorten', '--create', '--data', data])
    const flags = ['--netcat', '127.0.0.1:0', '--guest-from', '127.0.0.0/8', '--guest-key', 'guests']
    const server = await start({ args: [...quiet, ...flags], data })
    expect(await sendText(await netcatPort(server), 'a')).toMatch(/^This API key may create short links only/)
    await server.stop()
  })
})

describe('the server', () => {
  test('names the port at its start, and does not start where it is in use', async () => {
    const server = await start({ args: [...quiet, ...withNetcat] })
    const port = await netcatPort(server)
    expect(server.stdout.text()).toContain(`  netcat: nc 127.0.0.1 ${port}\n`)
    const taken = [
      '--netcat',
      `127.0.0.1:${port}`,
      '--guest-from',
      '127.0.0.0/8',
      '--guest-key',
      'environment',
    ]
    const { code, stdout, stderr } = await run(
      ['--host', '127.0.0.1', '--port', `${freePort()}`, '--data', temporaryFolder(), ...taken],
      { SHORTCRUST_API_KEY: testKey },
    )
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `shortcrust: cannot listen for netcat: port ${port} on 127.0.0.1 is in use; choose another with --netcat.\n`,
    ])
    await server.stop()
  })

  test('finishes the texts that are being sent before it stops, and sends away who has sent nothing', async () => {
    const server = await start({ args: ['--rate-limit', 'off', ...withNetcat] })
    const port = await netcatPort(server)
    const [silent, sending] = [await openNetcat(port), await openNetcat(port)]
    await sending.write('a text')
    // The answer to a later one shows that the server has read it.
    await sendText(port, 'a later one')
    process.kill(server.pid, 'SIGTERM')
    expect(await silent.answer).toBe('The server is stopping. Try again in a moment.\n')
    silent.close()
    // Its second of silence is over after the signal.
    const answer = await sending.answer
    expect(answer).toStartWith(server.url)
    sending.close()
    expect(await server.exited).toBe(0)
    const again = await start({ args: quiet, data: server.data })
    expect(await textAt(answer.trim().replace(server.url, again.url))).toBe('a text')
    await again.stop()
  })
})

test.skipIf(!requireProgram('nc', 'netcat-openbsd'))(
  'the commands of the document work as they stand',
  async () => {
    const document = await Bun.file(join(repository, 'docs/netcat.md')).text()
    const [serving = '', sending = ''] = blocksOf(document, 'sh')
    const data = temporaryFolder()
    const [key = '', command = ''] = serving.split('\n').map((line) => line.replace(/^shortcrust /, ''))
    expect((await run([...key.split(' '), '--create', '--data', data])).code).toBe(0)
    // This machine takes the place of the network.
    const flags = command.replace('fd00::/8', '127.0.0.0/8').replace(':9999', ':0').split(' ')
    const server = await start({ args: flags, data })
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'build.log'), 'built\n')
    for (const line of sending.trim().split('\n')) {
      const script = line
        .replace('dmesg', 'echo a line')
        .replaceAll('nas 9999', `127.0.0.1 ${await netcatPort(server)}`)
      const shell = Bun.spawn(['sh', '-c', script], { cwd, stdout: 'pipe' })
      expect(await new Response(shell.stdout).text(), line).toStartWith(`${server.url}/p/`)
      expect(await shell.exited).toBe(0)
    }
    await server.stop()
  },
)

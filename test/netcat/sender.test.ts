import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { createNetcatExchange, type NetcatExchangeParts, netcatLimits } from '../../src/netcat.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const { firstByteMs, silenceMs, wholeTextMs, lingerMs, droppedBytes } = netcatLimits
const maxBytes = 100_000
const page = 'http://nas/p/abc'

const bytesOf = (text: string) => Buffer.from(text)
const messageOf = (error: unknown) => (error instanceof AppError ? error.message : 'Internal error')

/** Lets what was resolved go on. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

/** One connection on a wire of this test; `calls` has what is done to the wire. */
const withSender = (memory = { left: 1024 ** 2 }) => {
  const [calls, stored]: [string[], string[]] = [[], []]
  const call = (name: string) => () => void calls.push(name)
  const wire = {
    write: (text: string) => calls.push(text.replace(/\n$/, '')),
    ...{ shutdown: call('shutdown'), pause: call('pause'), end: call('end') },
  } as unknown as NetcatExchangeParts['wire']
  const exchange = createNetcatExchange({
    wire,
    limits: netcatLimits,
    maxBytes,
    memory,
    store: async (text) => {
      stored.push(Buffer.from(text).toString())
      return page
    },
    explainError: messageOf,
    httpLine: () => 'for a browser',
  })
  return {
    ...exchange,
    send: (text: string) => exchange.data(bytesOf(text)),
    calls,
    /** The lines that the sender gets; a browser's without its head. */
    answers: () =>
      calls
        .filter((line) => !['shutdown', 'pause', 'end'].includes(line))
        .map((line) => line.replace(/^HTTP[\s\S]*\r\n/, '')),
    stored,
  }
}

describe('a text', () => {
  test('ends where its sender closes its half', async () => {
    const { send, end, answers, stored } = withSender()
    send('one, ')
    send('two')
    expect(stored).toEqual([])
    end()
    await settle()
    expect([stored, answers()]).toEqual([['one, two'], [page]])
  })

  test('ends after a second of silence, and not before', async () => {
    const { send, answers, stored } = withSender()
    send('one, ')
    jest.advanceTimersByTime(silenceMs - 1)
    send('two')
    jest.advanceTimersByTime(silenceMs - 1)
    expect(stored).toEqual([])
    jest.advanceTimersByTime(1)
    await settle()
    expect([stored, answers()]).toEqual([['one, two'], [page]])
  })

  test('is stored once, whatever comes after its end', async () => {
    const { send, end, data, answers, stored } = withSender()
    send('all')
    jest.advanceTimersByTime(silenceMs)
    data(bytesOf('late'))
    end()
    jest.advanceTimersByTime(wholeTextMs)
    await settle()
    expect([stored, answers()]).toEqual([['all'], [page]])
  })

  test('keeps every byte, also when each comes alone', async () => {
    const { send, end, stored } = withSender()
    const text = 'Zeile\r\n\0\t\ufeff'.repeat(500)
    for (const letter of text) send(letter)
    end()
    await settle()
    expect(stored).toEqual([text])
  })

  test('may be as long as the largest paste, and no byte longer', async () => {
    const largest = withSender()
    largest.send('x'.repeat(maxBytes))
    largest.end()
    await settle()
    expect(largest.answers()).toEqual([page])
    const { send, end, answers, stored } = withSender()
    send('x'.repeat(maxBytes))
    expect(answers()).toEqual([])
    send('y')
    expect(answers()).toEqual([
      'The text is larger than 97 KiB, the limit of this server. Nothing was stored.',
    ])
    end()
    await settle()
    expect([answers().length, stored]).toEqual([1, []])
  })

  test('that took too long is refused as a whole, however lively its sender is', async () => {
    const { send, answers, stored } = withSender()
    for (let passed = 0; passed < wholeTextMs; passed += silenceMs / 2) {
      expect(answers()).toEqual([])
      send('x')
      jest.advanceTimersByTime(silenceMs / 2)
    }
    await settle()
    expect(stored).toEqual([])
    expect(answers()).toEqual([
      'The text took longer than 60 seconds. Nothing was stored. Write it to a file, then send that.',
    ])
  })

  test('that begins as no text can is refused at once, and not for a character cut in two', async () => {
    const binary = withSender()
    binary.data(new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
    expect(binary.answers()).toEqual([
      'This is not UTF-8 text. Nothing was stored; convert it first, for example with iconv.',
    ])
    for (const cut of [1, 2, 3, 4]) {
      const { data, end, stored } = withSender()
      const bytes = bytesOf('😀 and more')
      data(bytes.subarray(0, cut))
      data(bytes.subarray(cut))
      end()
      await settle()
      expect(stored).toEqual(['😀 and more'])
    }
  })

  test('of nothing is refused', () => {
    const { end, answers } = withSender()
    end()
    expect(answers()).toEqual(['The text is empty. Nothing was stored.'])
  })

  test('of a sender that is gone before its end is forgotten', async () => {
    const { send, closed, answers, stored } = withSender()
    send('half a te')
    closed()
    jest.advanceTimersByTime(wholeTextMs)
    await settle()
    expect([stored, answers()]).toEqual([[], []])
  })
})

test('a sender may wait for a slow command, but not for ever', () => {
  const { answers } = withSender()
  jest.advanceTimersByTime(firstByteMs - 1)
  expect(answers()).toEqual([])
  jest.advanceTimersByTime(1)
  expect(answers()).toEqual(['Nothing was sent for 30 seconds. Send a text: some-command | nc HOST PORT'])
})

test('all texts together take no more memory than was set aside, and give it back', async () => {
  const memory = { left: 2.5 * maxBytes }
  const senders = [1, 2, 3].map(() => withSender(memory))
  for (const { send } of senders) send('x'.repeat(maxBytes))
  const busy = 'Too many texts are being sent at once. Try again in a few seconds.'
  expect(senders.map(({ answers }) => answers())).toEqual([[], [], [busy]])
  senders[0]?.closed()
  senders[1]?.end()
  await settle()
  for (let again = 0; again < 10; again++) {
    const { send, end, answers } = withSender(memory)
    send('x'.repeat(maxBytes))
    end()
    await settle()
    expect(answers()).toEqual([page])
  }
})

describe('a request of HTTP', () => {
  const heads = {
    'of an address bar': 'GET / HTTP/1.1\r\nHost: nas:9999\r\n\r\n',
    'with a text that a page chose':
      'POST /?a=b HTTP/1.1\r\nContent-Type: text/plain\r\n\r\na text of a page',
    'with a long path': `POST /${'x'.repeat(90_000)} HTTP/1.1\r\n`,
    'for no path': 'OPTIONS * HTTP/1.0\n',
    'to a proxy for another port': 'CONNECT nas:9999 HTTP/1.1\r\n',
    'to a proxy': 'GET http://nas:9999/ HTTP/1.1\r\n',
    'of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'with a method in small letters': 'patch / HTTP/1.1\r\n',
  }
  test.each(Object.keys(heads) as (keyof typeof heads)[])('is no text: %s', (name) => {
    const { send, answers, stored } = withSender()
    for (const part of heads[name].match(/[\s\S]{1,7000}/g) ?? []) send(part)
    // As soon as its first line is there.
    expect([answers(), stored]).toEqual([['for a browser'], []])
  })

  test('is no text without the end of its first line either', async () => {
    for (const isSilent of [true, false]) {
      const { send, end, answers, stored } = withSender()
      send('POST / HTT')
      send('P/1.1')
      if (isSilent) jest.advanceTimersByTime(silenceMs)
      else end()
      await settle()
      expect([answers(), stored]).toEqual([['for a browser'], []])
    }
  })

  test.each([
    'We speak HTTP/1.1\nand more',
    '# HTTP/1.1\n',
    'HTTP/1.1 200 OK\r\n',
    'GET / is a request\nGET / HTTP/1.1\n',
    '\nGET / HTTP/1.1\n',
    '> GET / HTTP/1.1\n',
  ])('is not what only speaks of one: %j', async (text) => {
    const { send, end, stored } = withSender()
    send(text)
    end()
    await settle()
    expect(stored).toEqual([text])
  })
})

describe('a connection', () => {
  test('is closed at once behind the answer to a sender that closed its half', async () => {
    const { send, end, calls } = withSender()
    send('a')
    end()
    await settle()
    expect(calls).toEqual([page, 'end'])
  })

  test('is held open behind its answer until the sender has closed it', async () => {
    const { send, end, calls } = withSender()
    send('a')
    jest.advanceTimersByTime(silenceMs)
    await settle()
    expect(calls).toEqual([page, 'shutdown'])
    end()
    expect(calls).toEqual([page, 'shutdown', 'end'])
  })

  test('is not held open for long for a sender that never does', () => {
    const { refuse, calls } = withSender()
    refuse(new Error())
    jest.advanceTimersByTime(lingerMs - 1)
    expect(calls).toEqual(['Internal error', 'shutdown'])
    jest.advanceTimersByTime(1)
    expect(calls).toEqual(['Internal error', 'shutdown', 'end'])
  })

  test('drops only so much of what nobody wants', () => {
    const { refuse, data, calls } = withSender()
    refuse(new Error())
    data(new Uint8Array(droppedBytes))
    expect(calls).toEqual(['Internal error', 'shutdown'])
    data(new Uint8Array(1))
    expect(calls).toEqual(['Internal error', 'shutdown', 'pause'])
  })

  test('that is closed is neither answered nor touched again', async () => {
    const first = withSender()
    first.send('a')
    first.end()
    first.closed()
    first.refuse(new Error())
    const second = withSender()
    second.refuse(new Error())
    second.closed()
    await settle()
    jest.advanceTimersByTime(lingerMs)
    expect([first.calls, first.stored, second.calls]).toEqual([[], ['a'], ['Internal error', 'shutdown']])
  })
})

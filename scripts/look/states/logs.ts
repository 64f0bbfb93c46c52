import { untilMade } from '../../../test/support/until.ts'
import { type Show, statesOf } from '../state.ts'

const logPage = statesOf('log', 'paste-page', '/p/{id}')

const frames = (count: number) =>
  Array.from({ length: count }, (_, at) => `\tat org.example.store.Row${at}.write(Row${at}.java:${40 + at})`)

const lines = [
  '2026-11-23T14:02:11.120Z INFO  [main] listening on http://0.0.0.0:8080',
  '2026-11-23T14:02:11.881Z DEBUG [store] opened "/var/lib/shop" in 12 ms',
  '2026-11-23T14:15:41.002Z WARN  [limiter] key "ci" has used up its limit; retry in 15 s',
  '2026-11-23T14:15:44.310Z ERROR [store] the row could not be written',
  'java.io.IOException: No space left on device',
  ...frames(14),
  'Caused by: java.nio.file.FileSystemException: /var/lib/shop/rows: No space left on device',
  ...frames(9),
  '\t... 22 more',
  '2026-11-23T14:15:44.318Z INFO  10.0.0.7 "GET /orders/17 HTTP/1.1" 500 431 0.8ms',
  '{"level":40,"time":1795450000000,"pid":7,"msg":"slow request","ms":1904}',
  'web-1  | 2026-11-23T15:01:00Z [error] upstream timed out while reading the response header',
  'Traceback (most recent call last):',
  '  File "/srv/app/orders.py", line 31, in pay',
  '    raise PaymentError("card was declined")',
  '  File "/srv/app/cards.py", line 8, in charge',
  '    return post(url, json=card)',
  'app.errors.PaymentError: card was declined',
  'Nov 23 15:02:10 nas shop[12]: ERROR the mail could not be sent',
  ...['Traceback (most recent call last):', '  File "/srv/app/mail.py", line 3, in send', '    connect()']
    .concat('  File "/srv/app/mail.py", line 9, in connect', 'ConnectionRefusedError: [Errno 111]')
    .map((line) => `Nov 23 15:02:10 nas shop[12]: ${line}`),
  'WARN  the cache is 91 % full',
  ...Array.from(
    { length: 30 },
    (_, at) => `2026-11-23T16:39:${10 + at}.500Z INFO  [worker-${at % 4}] order ${1700 + at} was paid`,
  ),
  '2026-11-23T16:40:03.002Z FATAL [main] shutting down: the disk is full',
]

const log = { title: 'shop.log', description: '', language: 'log', text: `${lines.join('\n')}\n` }

const opensLog =
  (suffix = ''): Show =>
  async ({ client, open }) =>
    open(`${(await client.paste(log)).pasteUrl}${suffix}`)

/** The page of a log: whole, filtered, and unfolded. */
export const logStates = [
  logPage('whole', 'A log with levels and folded traces', opensLog()),
  logPage('level', 'Only warnings and above', opensLog('?level=warn')),
  logPage('grep', 'Only lines with a word', opensLog('?grep=order')),
  logPage('both', 'Only errors with a word', opensLog('?level=error&grep=space')),
  logPage('nothing', 'No line has the word', opensLog('?level=error&grep=%3Cnowhere%3E')),
  logPage('terminal', 'A log with the colours of a terminal', async ({ client, open }) => {
    const colours: Record<string, string> = { INFO: '32', WARN: '33', ERROR: '31', FATAL: '97;41', DEBUG: '2' }
    const text = log.text.replace(/INFO|WARN|ERROR|FATAL|DEBUG/g, (word) => `\x1b[${colours[word]}m${word}\x1b[0m`)
    await open((await client.paste({ ...log, language: 'ansi', text })).pasteUrl ?? '')
  }),
  logPage('json', 'JSON lines that are a log, behind a switch to their view', async ({ client, open }) => {
    const record = (at: number) =>
      JSON.stringify({ level: [30, 40, 50][at % 3], time: 1795450000000 + 977 * at, pid: 7, msg: `order ${at}` })
    const text = Array.from({ length: 40 }, (_, at) => record(at)).join('\n')
    await open((await client.paste({ ...log, title: 'shop', language: 'jsonl', text })).pasteUrl ?? '')
  }),
  logPage('unfolded', 'A trace is unfolded', async (stage) => {
    await opensLog()(stage)
    await stage.page.click('#code summary >> nth=0')
  }),
  logPage('next', 'The second error is marked', async (stage) => {
    await opensLog()(stage)
    await stage.page.keyboard.press('n')
    await stage.page.keyboard.press('n')
  }, { needsScript: true }),
  logPage('grep-code', 'Only the lines of a source text with a word', async ({ client, open }) => {
    const text = 'export const one = 1\nconst two = 2 // not exported\nexport const three = one + two\n'
    const { pasteUrl } = await client.paste({ title: 'numbers.ts', language: 'typescript', text })
    await open(await untilMade(`${pasteUrl}?grep=export`))
  }),
  logPage('limited', 'A log that burns after reading', async ({ client, open, page }) => {
    await open((await client.paste({ ...log, maxReads: 1 })).pasteUrl ?? '')
    const loaded = page.waitForEvent('load')
    await page.locator('main form button[type=submit]').click()
    await loaded
  }),
] // biome-ignore format: a table to skim

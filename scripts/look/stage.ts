import type { Browser } from 'playwright-core'
import { openTab } from '../../test/support/browser.ts'
import { createClient } from '../../test/support/client.ts'
import { run, start, temporaryFolder } from '../../test/support/process.ts'
import { type Sample, samples } from './samples.ts'
import { type Opening, type OwnedCount, ownedCounts, type Stage } from './state.ts'

type Client = ReturnType<typeof createClient>

/** A key that has just used up the default rate limit. */
const usedUpKey = async (url: string, key: string) => {
  const client = createClient(url, key)
  for (;;) {
    const { status } = await client.post('/shortener', { url: 'https://example.org/' })
    if (status === 429) return key
    if (status !== 201) throw new Error(`a short link was answered ${status}`)
  }
}

const addKey = async (name: string, data: string, ...flags: string[]) => {
  const { stderr, stdout } = await run(['keys', 'add', name, '--create', ...flags, '--data', data])
  const [key] = /sc_\w+/.exec(stdout + stderr) ?? []
  if (key === undefined) throw new Error(`no key was made: ${stderr}`)
  return [name, key] as const
}

/** A look that strains the pages: a long name and footer, and an accent that no theme can read. */
const look = [
  ...['--name', 'Pastes & links of the whole laboratory', '--accent', '#ff00ff', '--footer'],
  `Run by Ada for everybody on the third floor. ${'What is kept and for how long, '.repeat(2)}` +
    'and whom to ask: https://example.org/laboratory/pastes-and-links.',
]

/** Addresses and header of those who need no key, as a proxy on this machine sends them. */
export const [networkOfGuests, userHeader] = ['192.0.2.0/24', 'Remote-User']

const keyless = [
  ...['--trust-proxy', '127.0.0.1', '--user-header', userHeader],
  ...['--guest-from', networkOfGuests, '--guest-key', 'owner-0'],
]

/** Three servers of new data folders: one without a rate limit, one with the default, and one with a look of its own. */
const openServers = async () => {
  const [freeData, limitedData] = [temporaryFolder(), temporaryFolder()]
  const names = ownedCounts.map((count) => `owner-${count}`)
  const keys = new Map<string, string>([await addKey('look', limitedData)])
  for (const name of names) keys.set(...(await addKey(name, freeData)))
  keys.set(...(await addKey('admin', freeData, '--admin')))
  const [free, limited, named] = await Promise.all([
    start({ args: ['--rate-limit', 'off', '--log', 'off', ...keyless], data: freeData }),
    start({ args: ['--log', 'off'], data: limitedData }),
    start({ args: ['--rate-limit', 'off', '--log', 'off', ...look] }),
  ])
  return { free, limited, named, keyOf: (name: string) => keys.get(name) ?? '' }
}

/** Keeps what a function answers for each name, so that it is made once. */
const once = <N, T>(make: (name: N) => Promise<T>) => {
  const made = new Map<N, Promise<T>>()
  return (name: N) => {
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
}

const fillListOf = async (client: Client, count: number) => {
  for (let at = 0; at < count; at++)
    if (at % 3 === 2) await client.link(`https://example.org/${at}`, at % 2 ? { maxVisits: 5 } : {})
    else await client.paste({ title: at % 5 === 3 ? '' : `Item number ${at + 1}`, text: `text ${at}\n` })
}

/** Where states are made: servers, what they share, and a new tab for each. */
export const openTheatre = async (browser: Browser) => {
  const { free, limited, named, keyOf } = await openServers()
  const client = createClient(free.url)
  const sample = once(async (name: Sample) => {
    const { pasteUrl = '' } = await client.paste({ language: 'typescript', ...samples[name] })
    return pasteUrl
  })
  const owner = once(async (count: OwnedCount) => {
    const key = keyOf(`owner-${count}`)
    await fillListOf(createClient(free.url, key), count)
    return key
  })

  /** An empty tab. `problems` fills with what the browser reports and pages must not cause. */
  const openStage = async ({ width, height, isScripted }: Opening) => {
    const tab = await openTab(
      browser,
      free.url,
      { viewport: { width, height }, javaScriptEnabled: isScripted, reducedMotion: 'reduce' },
      limited.url,
      named.url,
    )
    const { page, problems, close } = tab
    page.context().setDefaultTimeout(60_000)
    const open = async (path: string) => {
      await page.goto(path)
    }
    const stage: Stage = {
      page,
      isScripted,
      client,
      sample,
      owner,
      admin: async () => keyOf('admin'),
      open,
      keep: async (values) => {
        await open('/healthz')
        await page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(values)}))
          localStorage.setItem('shortcrust:' + name, value)`)
      },
      openNamed: async (pathOf) => open(new URL(await pathOf(createClient(named.url)), named.url).href),
      openLimited: async () => {
        await open(limited.url)
        return usedUpKey(limited.url, keyOf('look'))
      },
    }
    return { stage, problems, close }
  }

  const close = async () => {
    await Promise.all([free.stop(), limited.stop(), named.stop()])
  }
  return { openStage, close }
}
export type Theatre = Awaited<ReturnType<typeof openTheatre>>

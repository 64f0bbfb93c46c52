import { describe, expect, test } from 'bun:test'
import { type Import, importsOf, programFiles, sourceOf } from '../support/imports.ts'

/** The rooms of ARCHITECTURE.md from top to bottom, and what each may know; `type` where types only. */
const rooms: Record<string, readonly string[]> = {
  main: ['cli', 'highlight'],
  cli: [
    'server',
    'settings',
    'services',
    'highlight',
    'store',
    'items',
    'errors',
    'log',
    'mask',
    'collector',
    'ip-address',
    'output',
    'shell-words',
    'format',
  ],
  server: [
    'app',
    'metrics',
    'netcat',
    'http',
    'settings',
    'services',
    'highlight',
    'store',
    'items',
    'errors',
    'log',
  ],
  app: ['routes', 'http', 'type settings', 'type services', 'type log'],
  metrics: ['http', 'type settings', 'type services', 'type highlight', 'type store', 'type items', 'errors'],
  netcat: ['http', 'type settings', 'type services', 'errors', 'ip-address', 'type log', 'format'],
  routes: [
    'http',
    'views',
    'describe',
    'type settings',
    'type services',
    'highlight',
    'items',
    'errors',
    'collector',
    'type log',
    'shell-words',
    'format',
  ],
  http: [
    'views',
    'type settings',
    'type services',
    'highlight',
    'items',
    'errors',
    'ip-address',
    'collector',
    'type log',
    'format',
  ],
  views: ['type describe', 'type items', 'format'],
  browser: ['highlight', 'items', 'mask', 'format'],
  // Which languages, reserved names and lifetimes there are.
  describe: ['services', 'highlight', 'items', 'format'],
  log: ['type settings', 'output'],
  // The bounds of a lifetime; what is IPv4 inside IPv6.
  settings: ['services', 'items', 'ip-address'],
  services: ['type store', 'items', 'errors', 'ip-address', 'format'],
  highlight: [],
  store: ['items', 'errors', 'collector', 'shell-words'],
  items: ['errors', 'format'],
  errors: [],
  mask: [],
  collector: [],
  'ip-address': [],
  output: [],
  'shell-words': [],
  format: [],
}
const order = Object.keys(rooms)

/** Who alone may use a package. */
const owners: Record<string, readonly string[]> = {
  elysia: ['app', 'routes', 'http'],
  '@elysiajs/html': ['views'],
  typebox: ['items'],
  '@jest/diff-sequences': ['highlight'],
  lowdb: ['store'],
  'bun:sqlite': ['store'],
  shiki: ['highlight'],
  nanoid: ['items'],
  uqr: ['routes', 'cli'],
  'prom-client': ['metrics'],
  'modern-tar': ['store'],
  'lru-cache': ['store', 'routes', 'http'],
  pg: ['store'],
  'csv-parse': ['cli', 'highlight'],
  'markdown-it': ['highlight'],
  'markdown-it-footnote': ['highlight'],
  'github-slugger': ['highlight'],
  'jsonc-parser': ['highlight'],
}

const roomOf = (file: string) =>
  file.startsWith('views/client/') ? 'browser' : (/^(?:src\/)?([^/.]+)/.exec(file)?.[1] ?? file)
const packageOf = (specifier: string) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
const isOfTheProgram = (path: string) => /^(src|views)\//.test(path)

const isAllowed = ({ from, to, isType }: Import) => {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (to === '?') return false
  if (!isOfTheProgram(to)) return owners[packageOf(to)]?.includes(room) ?? true
  if (room === target) return true
  return rooms[room]?.includes(target) || (isType && rooms[room]?.includes(`type ${target}`))
}

const violations = (imports: readonly Import[]) =>
  imports
    .filter((one) => one.isReExport || !isAllowed(one))
    .map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`)

const files = programFiles()
const scripts = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const allImports = scripts.flatMap((file) => importsOf(file, sourceOf(file)))

/** Scripts that browsers run have a browser's clock. */
const isForBrowsers = (file: string) => file.startsWith('views/client/')

const filesWith = (pattern: RegExp, except: readonly string[] = []) =>
  scripts.filter((file) => !except.includes(file) && pattern.test(sourceOf(file)))

describe('the imports', () => {
  test('only point down the list of rooms, and use a package only where it belongs', () => {
    expect(allImports.length).toBeGreaterThan(100)
    expect(violations(allImports)).toEqual([])
  })

  test('come from files that each have a room', () => {
    expect(scripts.filter((file) => !order.includes(roomOf(file)))).toEqual([])
    expect(order.filter((room) => !scripts.some((file) => roomOf(file) === room))).toEqual([])
  })

  test('are allowed by a table that itself only points down', () => {
    for (const [room, known] of Object.entries(rooms))
      for (const target of known.map((name) => name.replace('type ', '')))
        expect(order.indexOf(target), `${room} → ${target}`).toBeGreaterThan(order.indexOf(room))
  })
})

describe('the checker of imports', () => {
  const arrow = (from: string, to: string, kind: Partial<Import> = {}): Import => ({
    from,
    to,
    isType: false,
    isReExport: false,
    ...kind,
  })

  test.each([
    arrow('src/store/documents/documents.ts', 'src/http/origin.ts'),
    arrow('src/store/documents/documents.ts', 'src/http/body.ts', { isType: true }),
    arrow('src/services/items.ts', 'src/store/documents/documents.ts'),
    arrow('src/services/items.ts', 'src/http/who.ts', { isType: true }),
    arrow('src/services/pastes.ts', 'src/highlight/languages/languages.ts'),
    arrow('src/services/pastes.ts', 'elysia', { isType: true }),
    arrow('src/server.ts', 'elysia'),
    arrow('src/http/answers.ts', '@elysiajs/html'),
    arrow('src/cli/help.ts', 'views/layout.tsx'),
    arrow('src/items/ids.ts', 'src/services/keys.ts', { isType: true }),
    arrow('src/server.ts', 'src/cli/client/send.ts'),
    arrow('views/layout.tsx', 'src/items/schema.ts'),
    arrow('views/docs-page.tsx', 'src/describe/outline.ts'),
    arrow('src/describe/describe.ts', 'src/store/documents/documents.ts', { isType: true }),
    arrow('views/layout.tsx', 'src/http/errors.ts'),
    arrow('src/highlight/child.ts', 'src/errors.ts'),
    arrow('src/errors.ts', 'src/log.ts', { isType: true }),
    arrow('src/settings/config.ts', 'src/main.ts'),
    arrow('src/format.ts', 'src/errors.ts', { isReExport: true }),
    arrow('src/store/folder/lock.ts', 'src/store/index.ts', { isReExport: true }),
    arrow('src/main.ts', '?'),
  ])('reports $from → $to', (one) => {
    expect(violations([arrow('src/app.ts', 'elysia'), one])).toHaveLength(1)
  })

  test('reads every way of importing', () => {
    const source = `
      import a, { type B } from './a.ts'
      import type { C } from './c.ts'
      import { type D, type E } from './d.ts'
      import './e.css'
      export * from './f.ts'
      const g = await import('../g.ts')
      let h: import('./h.ts').H
      const i = require('elysia')
      const j = import(name)`
    expect(importsOf('src/x/y.ts', source)).toEqual([
      arrow('src/x/y.ts', 'src/x/a.ts'),
      arrow('src/x/y.ts', 'src/x/c.ts', { isType: true }),
      arrow('src/x/y.ts', 'src/x/d.ts', { isType: true }),
      arrow('src/x/y.ts', 'src/x/e.css'),
      arrow('src/x/y.ts', 'src/x/f.ts', { isReExport: true }),
      arrow('src/x/y.ts', 'src/g.ts'),
      arrow('src/x/y.ts', 'src/x/h.ts', { isType: true }),
      arrow('src/x/y.ts', 'elysia'),
      arrow('src/x/y.ts', '?'),
    ])
  })
})

describe('the scripts for browsers', () => {
  test('know of the server only how languages and pastes are named, errors and sizes worded and secrets masked', () => {
    const outward = allImports.filter(({ from, to }) => isForBrowsers(from) && !isForBrowsers(to))
    const known = [...new Set(outward.map(({ to }) => to))].sort()
    expect(known).toEqual([
      'src/format.ts',
      ...['file-names', 'language-search'].map((name) => `src/highlight/languages/${name}.ts`),
      'src/items/name.ts',
      'src/mask/mask.ts',
    ])
  })
})

describe('the files', () => {
  test('have no default export, and no name that says nothing', () => {
    expect(filesWith(/\bexport\s+default\b|\bas\s+default\b/)).toEqual([])
    expect(files.filter((file) => /(^|\/)(index|utils?|helpers?|misc|common)[./]/.test(file))).toEqual([])
  })

  test('make no request but in the client, in the two checks, and in what browsers run', () => {
    const isOutgoing =
      /(?<!app\.)\bfetch\(|\bnew (?:WebSocket|EventSource)\b|\bBun\.connect\b|from '(?:node:)?(?:https?|http2|tls|dgram)'/
    expect(filesWith(isOutgoing).filter((file) => !isForBrowsers(file))).toEqual([
      'src/cli/check.ts',
      'src/cli/client/send.ts',
      'src/cli/server/healthcheck.ts',
    ])
  })

  test('read the environment, the arguments and the clock in main.ts only', () => {
    expect(filesWith(/\bprocess\s*\.\s*(env|argv)\b|\bBun\s*\.\s*(env|argv)\b/, ['src/main.ts'])).toEqual([])
    expect(
      filesWith(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/, ['src/main.ts']).filter(
        (file) => !isForBrowsers(file),
      ),
    ).toEqual([])
    expect(filesWith(/\bprocess\.(env|argv)\b/)).toEqual(['src/main.ts'])
    expect(filesWith(/\bDate\.now\b/).filter((file) => !isForBrowsers(file))).toEqual(['src/main.ts'])
  })
})

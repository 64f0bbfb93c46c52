// Which files a request enters: a copy of the program, in which each function says, when it is entered, in which file it is. A
// copy and no plugin: the runtime's plugins hang where a file that they load calls a macro.
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { repository, start, temporaryFolder, testKey } from '../../test/support/process.ts'

type Insertion = { at: number; text: string }

const insertionsIn = (source: ts.SourceFile, file: string) => {
  const call = `enteredFile(${JSON.stringify(file)})`
  const insertions: Insertion[] = []
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const { body } = node
      if (ts.isBlock(body)) insertions.push({ at: body.getStart(source) + 1, text: `${call};` })
      else insertions.push({ at: body.getStart(source), text: `(${call},` }, { at: body.getEnd(), text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return insertions.sort((a, b) => b.at - a.at)
}

const instrumented = (file: string, text: string, entered: string) => {
  let contents = text
  for (const { at, text: added } of insertionsIn(
    ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true),
    file,
  ))
    contents = contents.slice(0, at) + added + contents.slice(at)
  return `import { enteredFile } from ${JSON.stringify(entered)};${contents}`
}

/** Copies the program into an empty folder, and gives its main file; each entered file is a line appended to `trail`. */
const writeInstrumented = (folder: string, trail: string): string => {
  const entered = join(folder, 'entered.ts')
  writeFileSync(
    entered,
    `import { appendFileSync } from 'node:fs'
export const enteredFile = (file: string) => appendFileSync(${JSON.stringify(trail)}, \`\${file}\\n\`)\n`,
  )
  for (const name of ['tsconfig.json', 'package.json'])
    copyFileSync(join(repository, name), join(folder, name))
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  for (const file of new Bun.Glob('{src,views}/**/*').scanSync({ cwd: repository })) {
    const [from, to] = [join(repository, file), join(folder, file)]
    mkdirSync(dirname(to), { recursive: true })
    // What runs in a browser is bundled by itself.
    if (!/\.tsx?$/.test(file) || file.startsWith('views/client/')) copyFileSync(from, to)
    else writeFileSync(to, instrumented(file, readFileSync(from, 'utf8'), entered))
  }
  return join(folder, 'src/main.ts')
}

/** The files that a request enters, by its name. */
type Trips = Readonly<Record<string, readonly string[]>>

/** What each round enters: a server also works for itself, and some of that falls into a trip. */
const common = (first: Trips, ...others: readonly Trips[]): Trips =>
  Object.fromEntries(
    Object.entries(first).map(([name, files]) => [
      name,
      files.filter((file) => others.every((other) => other[name]?.includes(file))),
    ]),
  )

const paste = { text: 'const one = 1\n', title: 'A title', description: '', language: 'javascript' }
const headers = { key: testKey, 'content-type': 'application/json' }

/** Starts the program from its sources and notes which files each request enters, in order, also in the highlighter's child. */
export const measureTrips = async (): Promise<Trips> => {
  const trail = join(temporaryFolder(), 'trail')
  closeSync(openSync(trail, 'w'))
  const server = await start({
    program: [process.execPath, writeInstrumented(temporaryFolder(), trail)],
    args: ['--rate-limit', 'off', '--log', 'off'],
    env: { SHORTCRUST_API_KEY: testKey },
  })
  const entered = () => readFileSync(trail, 'utf8').trim().split('\n')
  /** What the server does for itself after an answer is over. */
  const rest = async () => {
    for (let before = 0; before < entered().length; await Bun.sleep(50)) before = entered().length
  }

  const send = async (address: string, init: RequestInit = {}) => {
    await rest()
    const before = entered().length
    const response = await fetch(new URL(address, server.url), { redirect: 'manual', headers, ...init })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${address} was answered ${response.status}: ${text}`)
    return { text, trip: [...new Set(entered().slice(before))] }
  }
  const post = async (path: string, body: object, method = 'POST') => {
    const { text, trip } = await send(path, { method, body: JSON.stringify(body) })
    return { answer: JSON.parse(text) as Record<string, string>, trip }
  }

  const round = async (): Promise<Trips> => {
    const { answer, trip } = await post('/paste', paste)
    const { pasteUrl = '', deletionUrl = '' } = answer
    const { shortendUrl = '' } = (await post('/shortener', { url: 'https://example.org/' })).answer
    const page = async () => (await send(pasteUrl, { headers: { accept: 'text/html' } })).trip
    await send(shortendUrl)
    return {
      create: trip,
      'first highlighted page': await page(),
      'page in memory': await page(),
      'redirect in memory': (await send(shortendUrl)).trip,
      list: (await send('/pastes')).trip,
      search: (await send('/pastes?q=title')).trip,
      change: (await post(`/pastes/${pasteUrl.split('/').at(-1)}`, { title: 'Another' }, 'PATCH')).trip,
      delete: (await send(deletionUrl, { method: 'DELETE' })).trip,
    }
  }

  try {
    // The first round enters what is made once.
    await round()
    return common(await round(), await round(), await round())
  } finally {
    await server.stop()
  }
}

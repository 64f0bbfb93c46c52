// Preloaded into a server by `trips.ts`, and into the children it starts: each function of the program says in which file it is
// when it is entered.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { plugin } from 'bun'
import ts from 'typescript'

const [trail, root] = [process.env.SHORTCRUST_TRAIL ?? '', process.cwd()]
Object.assign(globalThis, { entered: (file: string) => appendFileSync(trail, `${file}\n`) })

const { spawn } = Bun
Bun.spawn = ((command: string[], options: Record<string, unknown>) => {
  const [program = '', ...args] = command
  const env = { ...(options.env as object), SHORTCRUST_TRAIL: trail }
  return spawn([program, '--preload', import.meta.path, ...args], { ...options, env })
}) as typeof spawn

type Insertion = { at: number; text: string }

const insertionsIn = (source: ts.SourceFile, file: string) => {
  const call = `globalThis.entered(${JSON.stringify(file)})`
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

plugin({
  name: 'trail',
  setup: (build) => {
    build.onLoad({ filter: /\/(src|views)\/.*\.tsx?$/ }, async ({ path }) => {
      const file = relative(root, path)
      // Asked for by a macro of a file that a plugin loads, git's answer may never come.
      const ofGit = /^import \{ (\w+) \} from '.*commit\.ts' with \{ type: 'macro' \}$/m
      const text = (await Bun.file(path).text()).replace(ofGit, "const $1 = () => 'unknown'")
      const loader = path.endsWith('x') ? 'tsx' : 'ts'
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
      let contents = text
      for (const { at, text: added } of insertionsIn(source, file))
        contents = contents.slice(0, at) + added + contents.slice(at)
      return { contents, loader }
    })
  },
})

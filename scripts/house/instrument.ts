// A copy of the program in which each function says, when it is entered, in which file it is. A copy and no plugin: the runtime's
// plugins hang where a file that they load calls a macro.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

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
export const writeInstrumented = (repository: string, folder: string, trail: string): string => {
  const entered = join(folder, 'entered.ts')
  writeFileSync(
    entered,
    `import { appendFileSync } from 'node:fs'
const enteredFile = (file: string) => appendFileSync(${JSON.stringify(trail)}, \`\${file}\\n\`)\n`,
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

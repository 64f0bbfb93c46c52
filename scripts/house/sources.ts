import ts from 'typescript'
import { importsOf, sourceOf } from '../../test/support/imports.ts'
import { repository } from '../../test/support/process.ts'

const scan = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: repository })].sort()
const linesOf = (file: string) => sourceOf(file).trimEnd().split('\n').length

/** All lines of the files that match: code, comments and empty ones. */
export const countLines = (pattern: string) => scan(pattern).reduce((sum, file) => sum + linesOf(file), 0)
export const countFiles = (pattern: string) => scan(pattern).length

const isTable = (node: ts.Node) =>
  ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node) || ts.isTemplateExpression(node)

const holdsFunction = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) || ts.forEachChild(node, (child) => holdsFunction(child) || undefined) === true

/** Lines of a function, without the tables in it: literals that hold no function. */
const lengthOf = (node: ts.Node, source: ts.SourceFile) => {
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const height = (part: ts.Node) => lineAt(part.getEnd()) - lineAt(part.getStart(source))
  let tables = 0
  const visit = (part: ts.Node) => {
    if (isTable(part) && !holdsFunction(part)) tables += height(part)
    else ts.forEachChild(part, visit)
  }
  ts.forEachChild(node, visit)
  return height(node) + 1 - tables
}

/** Every function that is longer than a screen, the longest first. */
export const longFunctions = (pattern: string, mostLines: number) =>
  scan(pattern)
    .flatMap((file) => {
      const source = ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.ESNext, true)
      const found: { place: string; lines: number }[] = []
      const visit = (node: ts.Node) => {
        if (ts.isFunctionLike(node) && 'body' in node && node.body) {
          const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
          found.push({ place: `${file}:${line}`, lines: lengthOf(node, source) })
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
      return found
    })
    .filter(({ lines }) => lines > mostLines)
    .sort((a, b) => b.lines - a.lines)

const arrowsAmong = (files: readonly string[]) => {
  const isProgram = new Set(files)
  return new Map(
    files.map((file) => {
      const targets = importsOf(file, sourceOf(file)).map(({ to }) => to)
      return [file, [...new Set(targets.filter((to) => isProgram.has(to)))]]
    }),
  )
}

/** Files that import each other, directly or through others; types count as well. */
export const importCircles = (pattern: string) => {
  const arrows = arrowsAmong(scan(pattern))
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (arrows.get(from) ?? []).some((to) => {
      if (to === goal) return true
      if (seen.has(to)) return false
      seen.add(to)
      return reaches(to, goal, seen)
    })
  return [...arrows.keys()].filter((file) => reaches(file, file))
}

/** Short files that only one other file imports: sections of it, rather. */
export const sectionsApart = (pattern: string, mostLines: number) => {
  const readers = new Map<string, number>()
  for (const targets of arrowsAmong(scan('{src,views}/**/*.{ts,tsx}')).values())
    for (const to of targets) readers.set(to, (readers.get(to) ?? 0) + 1)
  return scan(pattern).filter((file) => readers.get(file) === 1 && linesOf(file) <= mostLines)
}

const namesIn = (file: string) =>
  ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.ESNext).statements.flatMap((node) => {
    const named = ts.isVariableStatement(node) ? [...node.declarationList.declarations] : [node]
    return named.flatMap((one) =>
      'name' in one && one.name && ts.isIdentifier(one.name as ts.Node)
        ? [(one.name as ts.Identifier).text]
        : [],
    )
  })

/** Names that are declared at the top of more files than that, with the number of files. */
export const ambiguousNames = (pattern: string, mostMeanings: number) => {
  const meanings = new Map<string, number>()
  for (const file of scan(pattern))
    for (const name of new Set(namesIn(file))) meanings.set(name, (meanings.get(name) ?? 0) + 1)
  return [...meanings].filter(([, count]) => count > mostMeanings).sort(([, a], [, b]) => b - a)
}

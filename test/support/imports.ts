import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { repository } from './process.ts'

/** An arrow between two files of the repository, or from a file to a package. */
export type Import = { from: string; to: string; isType: boolean; isReExport: boolean }

/** Every file of the program, by its path in the repository. */
export const programFiles = () => [...new Bun.Glob('{src,views}/**/*.*').scanSync({ cwd: repository })].sort()

export const sourceOf = (file: string) => readFileSync(join(repository, file), 'utf8')

const isTypeImport = ({ importClause }: ts.ImportDeclaration) => {
  if (!importClause) return false
  const { isTypeOnly, name, namedBindings } = importClause
  if (isTypeOnly) return true
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false
  return namedBindings.elements.every((element) => element.isTypeOnly)
}

type Found = { specifier: ts.Node | undefined; isType: boolean; isReExport?: boolean }

const isLoad = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require')

const find = (node: ts.Node): Found | undefined => {
  if (ts.isImportDeclaration(node)) return { specifier: node.moduleSpecifier, isType: isTypeImport(node) }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier)
    return { specifier: node.moduleSpecifier, isType: node.isTypeOnly, isReExport: true }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: node.argument.literal, isType: true }
  return isLoad(node) ? { specifier: node.arguments[0], isType: false } : undefined
}

/** Static, type and dynamic imports. What is not a string literal comes out as `?`. */
export const importsOf = (from: string, source: string): Import[] => {
  const imports: Import[] = []
  const visit = (node: ts.Node) => {
    const found = find(node)
    if (found) {
      const { specifier, isType, isReExport = false } = found
      const raw = specifier && ts.isStringLiteralLike(specifier) ? specifier.text : '?'
      const to = raw.startsWith('.') ? posix.join(posix.dirname(from), raw) : raw
      imports.push({ from, to, isType, isReExport })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(from, source, ts.ScriptTarget.ESNext, true))
  return imports
}

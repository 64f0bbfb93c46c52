import { expect, test } from 'bun:test'
import ts from 'typescript'

// `f().catch(…)` never sees an error that `f` throws before it returns its promise.

/** A value or a promise, as answers are: whoever calls one must be ready for both. */
const mayBeBoth = /^src\/(routes|http|app\.ts)/

const repository = `${import.meta.dir}/../..`

const openProgram = () => {
  const { config } = ts.readConfigFile(`${repository}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository)
  const files = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(repository)].map(
    (file) => `${repository}/${file}`,
  )
  return ts.createProgram(files, { ...options, noEmit: true })
}

type WithBody = ts.FunctionLikeDeclaration & { body: ts.Node }

const hasBody = (node: ts.Node | undefined): node is WithBody =>
  node !== undefined && ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

const isAsync = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)

/** Finds what throws before it returns. */
const createSearch = (checker: ts.TypeChecker) => {
  const known = new Map<ts.Node, string | undefined>()

  const isPromise = (type: ts.Type) => type.symbol?.name === 'Promise'
  const membersOf = (type: ts.Type) => (type.isUnion() ? type.types : [type])
  const returned = (signature: ts.Signature | undefined) =>
    signature ? membersOf(checker.getReturnTypeOfSignature(signature)) : []

  /** What a call throws at once, as far as its declaration says. */
  const ofCall = (call: ts.CallExpression | ts.NewExpression) => {
    const name = call.expression.getText()
    if (/^(JSON\.parse|decodeURIComponent|.*Sync)$/.test(name)) return name
    const signature = checker.getResolvedSignature(call)
    const declaration = signature?.declaration
    if (returned(signature).some(isPromise) || declaration === undefined) return undefined
    if (hasBody(declaration)) return why(declaration) && name
    const of = ts.findAncestor(
      declaration,
      (node) => ts.getJSDocTags(node).length > 0 || ts.isStatement(node),
    )
    const isThrowing = of && ts.getJSDocTags(of).some((tag) => tag.tagName.text === 'throws')
    return isThrowing && declaration.getSourceFile().fileName.includes('/src/') ? name : undefined
  }

  const inNode = (node: ts.Node): string | undefined => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return undefined
    if (ts.isTryStatement(node) && node.catchClause)
      return inNode(node.catchClause.block) ?? (node.finallyBlock && inNode(node.finallyBlock))
    if (ts.isThrowStatement(node)) return 'throw'
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
    return (isCall && ofCall(node)) || ts.forEachChild(node, inNode)
  }

  /** Why a function throws; `undefined` if it does not, or only by its promise. */
  const why = (node: WithBody): string | undefined => {
    if (isAsync(node) || ('asteriskToken' in node && node.asteriskToken)) return undefined
    if (!known.has(node)) {
      known.set(node, undefined)
      known.set(node, inNode(node.body))
    }
    return known.get(node)
  }

  const problemOf = (node: WithBody, file: string) => {
    const signature = checker.getSignatureFromDeclaration(node)
    const members = returned(signature)
    if (isAsync(node) || !members.some(isPromise)) return undefined
    const isBoth = !members.every((type) => isPromise(type) || type.flags & ts.TypeFlags.Undefined)
    if (isBoth && mayBeBoth.test(file)) return undefined
    const reason = why(node)
    return reason && `returns a promise${isBoth ? ' or a value' : ''}, and throws: ${reason}`
  }
  return { problemOf }
}

test('no function that returns a promise throws before it returns', () => {
  const program = openProgram()
  const { problemOf } = createSearch(program.getTypeChecker())
  const problems: string[] = []
  for (const source of program.getSourceFiles()) {
    const [, file] = /.*\/(src\/.*)$/.exec(source.fileName) ?? []
    if (file === undefined || source.fileName.includes('node_modules')) continue
    const visit = (node: ts.Node) => {
      const problem = hasBody(node) && problemOf(node, file)
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      if (problem) problems.push(`${file}:${line + 1} ${problem}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  expect(problems).toEqual([])
})

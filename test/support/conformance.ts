import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openAnswer } from '../../src/describe/parts.ts'
import type { DescribedAnswer, Description, PathItem, Schema } from '../../src/describe/types.ts'

/** An answer as a client saw it. */
export type Observed = {
  method: string
  /** Path without the query. */
  path: string
  status: number
  headers: Headers
  /** Text of a body in JSON; `undefined` when it has another type or was not read. */
  json?: string | undefined
}

/** Every answer has them, or the runtime writes them; `info.description` speaks of the first. */
const usual = new Set([
  'x-content-type-options',
  'x-robots-tag',
  'referrer-policy',
  'content-security-policy',
  'cache-control',
  'x-request-id',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
])

const shapeOf = (template: string) =>
  new RegExp(`^${template.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Judges answers by a description. @returns what is wrong with an answer, nothing when it conforms */
export const createConformance = (description: Description) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(description)), 'api')

  // Of two that match, the one with more letters of its own is meant: `/s/{id}+` and not `/s/{id}`.
  const letters = (template: string) => template.replace(/\{\w+\}/g, '').length
  const paths = Object.entries(description.paths)
    .sort(([a], [b]) => letters(b) - letters(a))
    .map(([template, item]) => ({ shape: shapeOf(template), item }))

  const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>()
  const validatorOf = (schema: Schema) => {
    // What the description does not name must not be answered, though a client ignores it.
    const closed = schema.$ref ? { $ref: `api${schema.$ref}`, unevaluatedProperties: false } : schema
    const validate = compiled.get(schema) ?? ajv.compile(closed)
    compiled.set(schema, validate)
    return validate
  }

  const problemsOf = (what: string, schema: Schema, value: unknown) => {
    const validate = validatorOf(schema)
    return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`]
  }

  const headersOf = (answer: DescribedAnswer, headers: Headers) => {
    const entries = Object.entries(answer.headers ?? {})
    const described = new Set(entries.map(([name]) => name.toLowerCase()))
    const foreign = [...headers.keys()].filter((name) => !usual.has(name) && !described.has(name))
    return [
      ...foreign.map((name) => `header ${name} is not described`),
      ...entries.flatMap(([name, header]) => {
        const named = '$ref' in header ? description.components.headers[name] : header
        const { required, schema } = named ?? { required: true, schema: {} }
        const value = headers.get(name)
        if (value === null) return required ? [`header ${name} is missing`] : []
        return problemsOf(`header ${name}`, schema, schema.type === 'integer' ? Number(value) : value)
      }),
    ]
  }

  const bodyOf = ({ content = {} }: DescribedAnswer, { headers, json }: Observed) => {
    const type = headers.get('content-type')?.split(';')[0] ?? 'no type'
    const types = Object.keys(content)
    if (types.length === 0) return []
    const media = content[type]
    if (!media) return [`${type} is not described, but ${types.join(', ')}`]
    if (json === undefined) return []
    try {
      return problemsOf('body', media.schema, JSON.parse(json))
    } catch {
      return ['body: is not JSON']
    }
  }

  const error = openAnswer({
    description: '',
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } },
      'text/html': { schema: {} },
    },
  })
  const withAllow = {
    ...error,
    headers: { ...error.headers, Allow: { description: '', required: true, schema: {}, example: '' } },
  }

  /** What may be answered where nothing, or not this method, is described. */
  const undescribed = (item: PathItem | undefined, { status, headers }: Observed) => {
    if (status === 400) return { answer: error, problems: [] }
    // An address of any name is there only for the methods that are listed.
    if (!item || (item === description.paths['/{name}'] && status === 404))
      return { answer: error, problems: status === 404 ? [] : [`${status} at an address not described`] }
    const named = (names: readonly string[]) =>
      names.flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()]))
    const { servers: _, ...operations } = item
    const allowed = named(Object.keys(operations))
    // What may itself answer 405 is not answered at each address of this shape: `POST` of what is not limited.
    const sometimes = named(
      Object.entries(operations).flatMap(([name, { responses }]) => (responses[405] ? [name] : [])),
    )
    const allow = headers.get('allow') ?? ''
    const said = allow.split(', ')
    const isSame =
      said.every((name) => allowed.includes(name)) &&
      allowed.every((name) => said.includes(name) || sometimes.includes(name))
    const problems = status === 405 ? [] : [`${status} for a method not described`]
    return {
      answer: withAllow,
      problems: isSame ? problems : [...problems, `Allow says ${allow}, not ${allowed.join(', ')}`],
    }
  }

  const judged = (observed: Observed) => {
    const path = observed.path.replace(/%2b/gi, '+')
    const item = paths.find(({ shape }) => shape.test(path))?.item
    const name = observed.method === 'HEAD' ? 'get' : observed.method.toLowerCase()
    const operation = item?.[name as 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options']
    if (!operation) return undescribed(item, observed)
    const answer = operation.responses[observed.status]
    return { answer, problems: answer ? [] : [`status ${observed.status} is not described`] }
  }

  return (observed: Observed): string[] => {
    const { answer, problems } = judged(observed)
    const all = answer
      ? [...problems, ...headersOf(answer, observed.headers), ...bodyOf(answer, observed)]
      : problems
    return all.map((problem) => `${observed.method} ${observed.path} → ${observed.status}: ${problem}`)
  }
}

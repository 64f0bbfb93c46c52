import type { DescribedAnswer, Description, Operation, Parameter, Schema } from './types.ts'

export type Field = { name: string; type: string; isRequired: boolean; description: string }

/** Leaves out `OPTIONS`: only browsers send it, and the introduction explains it. */
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

const resolve = ({ components }: Description, schema: Schema = {}): Schema =>
  (schema.$ref && components.schemas[schema.$ref.split('/').at(-1) ?? '']) || schema

const typesOf = (description: Description, schema: Schema): readonly string[] => {
  const { type = '', anyOf, enum: values } = resolve(description, schema)
  return values ?? anyOf?.flatMap((one) => typesOf(description, one)) ?? [type]
}

const fieldsOf = (whole: Description, schema: Schema | undefined): Field[] => {
  const { properties = {}, required = [] } = resolve(whole, schema)
  return Object.entries(properties).map(([name, { description = '', ...field }]) => ({
    name,
    type: [...new Set(typesOf(whole, field))].join(' | '),
    isRequired: required.includes(name),
    description,
  }))
}

const answersOf = ({ responses }: Operation) =>
  Object.entries(responses as Record<string, DescribedAnswer>).map(
    ([status, { description, headers = {}, content = {} }]) => {
      const example = content['application/json']?.example
      const indent = status < '400' ? 2 : undefined
      return {
        status,
        description,
        types: Object.keys(content),
        headers: Object.keys(headers).filter((name) => !name.startsWith('Access-Control-')),
        /** The example as JSON text, if there is one. */
        example: example === undefined ? undefined : JSON.stringify(example, null, indent),
      }
    },
  )
export type OutlinedAnswer = ReturnType<typeof answersOf>[number]

const outlineOperation = (whole: Description, path: string, method: string, operation: Operation) => {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  const [media] = Object.values(requestBody?.content ?? {})
  const answers = answersOf(operation)
  const server = (whole.paths[path]?.servers ?? whole.servers)[0]?.url ?? ''
  return {
    ...{ id, method, path, summary, description },
    needsKey: isGuarded(operation),
    parameters: parameters.map(({ name, in: type, required: isRequired, description }): Field => {
      return { name, type, isRequired, description }
    }),
    fields: fieldsOf(whole, media?.schema),
    commands: commandsOf(server, method, path, operation),
    answers: answers.filter(({ status }) => Number(status) < 400),
    errors: answers.filter(({ status }) => Number(status) >= 400),
  }
}
export type OutlinedOperation = ReturnType<typeof outlineOperation>

/** The description for readers: by tag, in the order of the details. */
export const outlineOf = (whole: Description) =>
  whole.tags.map((tag) => ({
    ...tag,
    operations: Object.entries(whole.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        if (operation?.tags[0] !== tag.name) return []
        return outlineOperation(whole, path, method.toUpperCase(), operation)
      }),
    ),
  }))
export type Section = ReturnType<typeof outlineOf>[number]

/** Placeholder for the API key in the commands. */
const yourKey = 'YOUR_API_KEY'

/** True if the operation always needs an API key. */
export const isGuarded = ({ security }: Operation) =>
  security.length > 0 && security.every((way) => Object.keys(way).length > 0)

const withExamples = (path: string, parameters: readonly Parameter[]) => {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((rest, { name, example }) => rest.replace(`{${name}}`, `${example}`), path)
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return filled + (query.length ? `?${query.map(({ name, example }) => `${name}=${example}`).join('&')}` : '')
}

/** The `Accept` headers with different responses; one empty object if there is just one response. */
const formsOf = ({ responses }: Operation): Record<string, string>[] => {
  const types = Object.keys(responses[200]?.content ?? {})
  const isNegotiated = types.includes('text/html') && (types.length > 1 || responses[405] !== undefined)
  return isNegotiated ? types.map((Accept) => ({ Accept })) : [{}]
}

const requestBodyOf = ({ requestBody }: Operation) => {
  const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {})
  if (media === undefined) return {}
  if (type === 'application/json') return { json: media.example }
  if (type === 'text/plain') return { text: String(media.example) }
  return { form: media.example as Record<string, string> }
}

/** The operation as curl commands: one, or one per form of the response. */
export const commandsOf = (server: string, method: string, path: string, operation: Operation) => {
  const url = server + withExamples(path, operation.parameters ?? [])
  const key: Record<string, string> = isGuarded(operation) ? { key: yourKey } : {}
  const isImplied = method === 'GET' || (method === 'POST' && operation.requestBody !== undefined)
  const forms = method === 'GET' ? formsOf(operation) : [{}]
  return forms.map((accept) => {
    const headers = { ...key, ...accept }
    return curl({ url, method: isImplied ? undefined : method, headers, ...requestBodyOf(operation) })
  })
}

const quote = (word: string) =>
  /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

export type CurlParts = {
  url: string
  /** Unset if curl chooses it by itself. */
  method?: string | undefined
  headers?: Readonly<Record<string, string>>
  /** Body, sent as JSON. */
  json?: unknown
  /** Body, sent unchanged. */
  text?: string | undefined
  /** Fields of a form, sent as `multipart/form-data`. */
  form?: Readonly<Record<string, string>> | undefined
}

/** A command for POSIX shells, with one option per line. */
export const curl = ({ url, method, headers = {}, json, text, form = {} }: CurlParts) => {
  const type: CurlParts['headers'] = json === undefined ? {} : { 'Content-Type': 'application/json' }
  const options = [
    ...(method === undefined ? [] : [`-X ${method}`]),
    ...Object.entries({ ...headers, ...type }).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${quote(JSON.stringify(json))}`]),
    ...(text === undefined ? [] : [`--data-binary ${quote(text)}`]),
    ...Object.entries(form).map(([name, value]) => `-F ${quote(`${name}=${value}`)}`),
  ]
  return [`curl ${quote(url)}`, ...options].join(' \\\n  ')
}

import type { Operation, Parameter } from './types.ts'

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

const bodyOf = ({ requestBody }: Operation) => {
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
    return curl({ url, method: isImplied ? undefined : method, headers, ...bodyOf(operation) })
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

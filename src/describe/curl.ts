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

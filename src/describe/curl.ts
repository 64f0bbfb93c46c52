const quote = (word: string) =>
  /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

export type CurlParts = {
  url: string
  /** Said only where curl would not choose it by itself. */
  method?: string | undefined
  headers?: Readonly<Record<string, string>>
  /** A body of JSON. */
  json?: unknown
  /** A body that is sent as it is. */
  text?: string | undefined
  /** Fields of a form, sent as `multipart/form-data`. */
  form?: Readonly<Record<string, string>> | undefined
}

/** A command for a POSIX shell, one option on each line. */
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

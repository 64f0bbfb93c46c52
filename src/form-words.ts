import { sizeText } from './format.ts'

/** An error in a form, in the words of its page. */
export type FormProblem = {
  /** Name of the field to change; `undefined` if no single field is wrong. */
  field: string | undefined
  message: string
}

type Rule = readonly [error: RegExp, field: string | undefined, words: (...groups: string[]) => string]

const uses = 'Enter a whole number from 1 to 1,000,000.'

/** Errors of the API, and the messages of the page. The field `$1` means the first group of the pattern. */
const rules: readonly Rule[] = [
  [/header "key"/, 'key', () => 'Enter your API key.'],
  [/^No key is needed from here, but/, 'key', () => 'Enter your API key.'],
  [/API key is not valid/, 'key', () => 'This API key is not valid. Check it, or ask for a new one.'],
  [/^(This API key (?:may|expired) .*)$/, 'key', (reason) => `${reason}.`],
  [/"text" (?:must not be empty|is required)/, 'text', () => 'Enter the text to share.'],
  [
    /"text" is larger than (\d+)/,
    'text',
    (bytes) => `The text is larger than ${sizeText(Number(bytes))}, the limit of this server. Shorten it.`,
  ],
  [/"language" .* "(.+)"$/, 'language', (nearest) => `Unknown language. Did you mean "${nearest}"?`],
  [/"(\w+)" is longer than (\d+) KiB/, '$1', (field, size) => `Shorten the ${field} to ${size} KiB.`],
  [/"alias" must be/, 'alias', () => 'A custom name has 1 to 64 of the characters a-z, 0-9, - and _.'],
  [
    /"alias": the name "(.+)" is reserved/,
    'alias',
    (name) => `This server needs the name "${name}" itself. Choose another.`,
  ],
  [/"alias": .* taken/, 'alias', () => 'Custom name is already taken. Choose another.'],
  [
    /"expiresIn" .* server, (.+)$/,
    'expiresIn',
    (most) => `Choose ${most} at most, the limit of this server.`,
  ],
  [/"expiresIn"/, 'expiresIn', () => 'Choose a time from 1 second to 10 years.'],
  [/"maxReads"/, 'maxReads', () => uses],
  [/"maxVisits"/, 'maxVisits', () => uses],
  [/^(?:Invalid URL format: it is empty|.*"url" is required)/, 'url', () => 'Enter the address to shorten.'],
  [/^Invalid URL format: it must begin/, 'url', () => 'An address begins with http:// or https://.'],
  [/^Invalid URL format: (.+)$/, 'url', (reason) => `This address cannot be used: ${reason}.`],
  [/^(?=Field "(\w+)" )(.*)$/, '$1', (_, error) => error],
  [/^"q" (must .*)$/, 'q', (rule) => `The search ${rule}.`],
  [/ Try again in (\d+) s\.$/, undefined, (seconds) => `Too many requests. Try again in ${seconds} s.`],
]

/** The message of the page for an error of the API; an error that no form can cause stays as it is. */
export const formProblem = (error: string): FormProblem => {
  for (const [pattern, field, words] of rules) {
    const found = pattern.exec(error)
    if (!found) continue
    const [, ...groups] = found
    return { field: field === '$1' ? groups[0] : field, message: words(...groups) }
  }
  return { field: undefined, message: error }
}

/** `http://grafana.lan` for `grafana.lan`; `undefined` if that is no valid address either. */
export const withScheme = (address: string) => {
  const completed = `http://${address}`
  const isHost = /^[^\s@/]+\.?[^\s@/]*(?:\/\S*)?$/.test(address) && !/^\w+:(?!\d)/.test(address)
  return isHost && URL.canParse(completed) ? completed : undefined
}

/** The message after a scheme was added. */
export const schemeAdded = (address: string) =>
  `An address begins with http:// or https://. Did you mean ${address}? Press the button again to use it.`

/** The language that was found for a new paste; empty if its creator chose one. @param name of the language */
export const languageText = (id: string | undefined, name: string) => {
  if (id === undefined) return ''
  return id === 'text' ? 'No language was detected, so it is plain text.' : `Detected language: ${name}.`
}

/** How often a new item can be used: `Can be read once.`; empty without a limit. */
export const usesText = (kind: 'paste' | 'link', left: number | undefined) => {
  if (left === undefined) return ''
  const verb = kind === 'paste' ? 'read' : 'followed'
  return `Can be ${verb} ${left === 1 ? 'once' : `${left} times`}.`
}

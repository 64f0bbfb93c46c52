import type { Beginning } from './beginning.ts'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

/** An object or a list with something in it: `[]` and `{}` are texts of many languages. */
const isFilled = (value: unknown) => {
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

const isLine = (line: string) => /^\s*[[{]/.test(line) && isFilled(parsed(line))

/** Lines beside the last, which may be cut. */
const mostLines = 20

const firstLines = (text: string) => text.split('\n', mostLines).filter((line) => line.trim() !== '')

/** Thousands of lists in one another take the parser long, and nobody reads them. */
const isDeep = (text: string) => !/[^[{\s]/.test(text.slice(0, 400)) && text.length > 400

/** JSON that is whole, or JSON lines. */
export const languageOfJson = ({ text, isWhole }: Beginning) => {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return
  if (isWhole && isFilled(parsed(text))) return 'json'
  const lines = firstLines(text)
  return lines.length > 1 && lines.every(isLine) ? 'jsonl' : undefined
}

import type { Beginning } from './beginning.ts'

/** What the first line of a text says for certain. */
const openings: readonly (readonly [RegExp, string])[] = [
  [/^\s{0,99}<\?php\b/i, 'php'],
  [/^\s{0,99}<!doctype\s{1,9}html\b/i, 'html'],
  [/^\s{0,99}<html[\s>]/i, 'html'],
  [/^\s{0,99}<svg[\s>]/, 'xml'],
  [/^\s{0,99}<!DOCTYPE\s{1,9}\w/, 'xml'],
]

/** Certificates, keys and signatures. There is no grammar for them. */
const isArmoured = (lines: readonly string[]) => {
  const at = lines.findIndex((line) => /^-----BEGIN [A-Z0-9 ]{1,60}-----$/.test(line))
  return (
    at >= 0 && lines.slice(at + 1, at + 9).some((line) => /^[A-Za-z0-9+/=]{16,76}$|^[A-Z][\w-]*: /.test(line))
  )
}

/** The language that a text says at its beginning, or shows by what nothing else has: escape sequences, armour. */
export const languageOfOpening = ({ text, lines }: Beginning) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for a sequence of a terminal
  if (/\x1b\[[\d;]{0,30}[mKHJA-D]/.test(text)) return 'ansi'
  const [first = ''] = lines
  const found = openings.find(([pattern]) => pattern.test(first))
  if (found) return found[1]
  if (/^\s{0,99}<\?xml[\s?]/.test(first))
    return lines.slice(0, 6).some((line) => /<!DOCTYPE html|<html[\s>]/i.test(line)) ? 'html' : 'xml'
  return isArmoured(lines) ? 'text' : undefined
}

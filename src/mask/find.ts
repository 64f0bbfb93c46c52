import { hitsOf } from './hits.ts'

/** A value in a text that is masked. Lines and columns count from 1. */
export type Finding = {
  kind: string
  from: number
  length: number
  line: number
  column: number
  value: string
}

const endOfLine = (text: string, from: number) => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Everything in a text that looks like a secret, or says who or where somebody is, by its place. */
export const findSecrets = (text: string): Finding[] => {
  let [line, lineStart, lineEnd] = [1, 0, endOfLine(text, 0)]
  return hitsOf(text).map(({ kind, from, to }) => {
    while (lineEnd < from) {
      line++
      lineStart = lineEnd + 1
      lineEnd = endOfLine(text, lineStart)
    }
    return { kind, from, length: to - from, line, column: from - lineStart + 1, value: text.slice(from, to) }
  })
}

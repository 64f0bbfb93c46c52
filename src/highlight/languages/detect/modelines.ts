import { findLanguage } from '../languages.ts'

/** Names that editors use for what has another name here. */
const editorNames: Readonly<Record<string, string>> = {
  conf: 'text',
  dosini: 'ini',
  fundamental: 'text',
  'shell-script': 'shellscript',
  'c++': 'cpp',
  cperl: 'perl',
  js2: 'javascript',
  rjsx: 'jsx',
  nxml: 'xml',
  gitconfig: 'ini',
  messages: 'log',
}

/** `vim: set ft=python :`, `vi: filetype=sh`, in the middle of a comment. */
const vim = /(?:^|\s)(?:vim?|ex):[^\n]{0,200}?\b(?:ft|filetype|syntax)=([\w+-]{1,30})/
/** `-*- mode: ruby; tab-width: 2 -*-`, `-*- python -*-` */
const emacs =
  /-\*-[ \t]{0,9}(?:[^\n]{0,200}?\bmode:[ \t]{0,9})?([\w+-]{1,30})[ \t]{0,9}(?:;[^\n]{0,200})?-\*-/i

const [mostLines, longestLine] = [5, 300]

/** Lines that an editor looks at: the first and the last five. */
const editorLines = (text: string) => {
  const [head, tail] = [text.slice(0, 2000), text.slice(-2000)]
  return [...head.split('\n', mostLines), ...tail.split('\n').slice(-mostLines - 1)].filter(
    (line) => line.length <= longestLine,
  )
}

/** Emacs looks for a list of local variables in the last 3,000 characters. */
const localsChars = 3000

const listStart = /\blocal variables:/i

/** `Local Variables:`, lines such as `mode: python`, and `End:`, each after the same sign of a comment. */
const localMode = (text: string) => {
  const lines = text.slice(-localsChars).split('\n')
  const start = lines.findLastIndex((line) => listStart.test(line))
  if (start < 0) return
  const [prefix = ''] = lines[start]?.split(listStart, 1) ?? []
  const listed = lines
    .slice(start + 1)
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length).trimStart() : ''))
  const end = listed.findIndex((line) => /^end:/i.test(line))
  const mode = listed.slice(0, Math.max(0, end)).find((line) => /^mode:/i.test(line))
  return /^mode:[ \t]{0,9}([\w+-]{1,30})/i.exec(mode ?? '')?.[1]
}

const idOf = (name: string) => {
  const known = editorNames[name.toLowerCase()] ?? name
  const language = findLanguage(known)
  return 'id' in language ? language.id : undefined
}

/** The language that a line for an editor names: vim's modeline, Emacs' `-*- … -*-` and its list at the end. */
export const languageOfModeline = (text: string) => {
  const named = editorLines(text).map((line) => vim.exec(line)?.[1] ?? emacs.exec(line)?.[1])
  for (const name of [...named, localMode(text)]) {
    const id = name === undefined ? undefined : idOf(name)
    if (id !== undefined) return id
  }
}

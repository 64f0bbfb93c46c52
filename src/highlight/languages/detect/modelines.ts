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

const idOf = (name: string) => {
  const known = editorNames[name.toLowerCase()] ?? name
  const language = findLanguage(known)
  return 'id' in language ? language.id : undefined
}

/** The language that a line for an editor names: vim's modeline, Emacs' `-*- … -*-`. */
export const languageOfModeline = (text: string) => {
  for (const line of editorLines(text)) {
    const name = vim.exec(line)?.[1] ?? emacs.exec(line)?.[1]
    const id = name === undefined ? undefined : idOf(name)
    if (id !== undefined) return id
  }
}

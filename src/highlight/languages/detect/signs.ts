import type { Beginning } from './beginning.ts'

type Signs = { language: string; signs: readonly RegExp[] }

/**
 * Lines that hardly any other language has. C#, Elixir and R are not in the model, which takes them for C++, Ruby and Lua.
 * Of JavaScript, it knows old programs better than new ones.
 */
const all: readonly Signs[] = [
  {
    language: 'csharp',
    signs: [
      /^using (?:static )?(?:System|Microsoft|[A-Z]\w{0,60}\.[A-Z][\w.]{0,120});/,
      /\{ get; (?:(?:private |protected |internal )?(?:set|init); )?\}/,
      /\bforeach \(var \w{1,60} in /,
      /\bConsole\.(?:Write|Read)(?:Line)?\(/,
      /\basync Task\b/,
      /\$"[^"]{0,200}\{/,
      /^namespace [A-Z][\w.]{0,120};?$/,
    ],
  },
  {
    language: 'elixir',
    signs: [
      /^\s{0,99}defmodule [A-Z][\w.]{0,120} do$/,
      /^\s{0,99}defp? [a-z_]\w{0,60}[?!]?(?:\(.{0,200}\))? do$/,
      /^\s{0,99}\|> [A-Za-z]/,
      /\{:(?:ok|error|reply|noreply), /,
      /^\s{0,99}@(?:impl true|moduledoc """|doc """|spec \w)/,
    ],
  },
  {
    language: 'r',
    signs: [
      /^\s{0,99}(?:library|require)\(["']?[A-Za-z][\w.]{0,60}["']?\)$/,
      /^\s{0,99}[A-Za-z][\w.]{0,60} <- [\w("'-]/,
      /<- function\(/,
      / %(?:>|in|o)% ?/,
      /^\s{0,99}(?:ggplot|summary|print|plot|head)\(/,
    ],
  },
  {
    language: 'javascript',
    signs: [
      /^(?:const|let|var) [\w{][^=]{0,200} = require\(['"]/,
      /\bconsole\.(?:log|error)\(/,
      /^(?:module\.)?exports(?:\.\w{1,60})? = /,
    ],
  },
]

const fewestSigns = 2

/** A language that has two different signs, if no other one has them. */
export const languageOfSigns = ({ lines }: Beginning) => {
  const found = all.filter(
    ({ signs }) => signs.filter((sign) => lines.some((line) => sign.test(line))).length >= fewestSigns,
  )
  return found.length === 1 ? found[0]?.language : undefined
}

import type { RenderTools } from '../child/renderer.ts'
import { findLanguage } from '../languages/languages.ts'
import { createTokenHtml } from '../render.ts'
import { showText } from '../show-text.ts'
import type { Code } from './markdown-blocks.ts'

/**
 * What is coloured in one preview; later code is plain. Each grammar takes 0.1 s, and 10 KiB of code as much. The words of a
 * long text need most of the time for themselves.
 */
const mostOf = (text: string) =>
  text.length > 128 * 1024
    ? { chars: 16 * 1024, blocks: 50, languages: 2 }
    : { chars: 64 * 1024, blocks: 200, languages: 5 }

/** A little of many languages. A grammar is compiled when it is first used, which takes up to 0.5 s of processor time. */
const warmUp = 'const a = ["b", 1] // c\nif (d) { e(f) }\n<g h="i">j</g>\n'

/** Names of languages that are looked up: the nearest one to an unknown name takes a while. */
const maxNames = 100

const firstWord = (info: string) => /^[^\s{,:]{1,30}/.exec(info)?.[0]

/** Lines that begin a block of code, perhaps in quotes or lists. */
const fence = /^[ \t>*+-]{0,40}(?:```+|~~~+)[ \t]*([^\s{,:`]{1,30})/gm

/** The first languages of the blocks of code, by the name that the text gives them. */
const languagesIn = (text: string, most: number) => {
  const names = new Set<string>()
  const languages = new Map<string, string>(text.startsWith('---') ? [['yaml', 'yaml']] : [])
  for (const [, name = ''] of text.matchAll(fence)) {
    if (names.has(name)) continue
    const found = findLanguage(name)
    if ('id' in found && found.id !== 'text') languages.set(name, found.id)
    names.add(name)
    if (names.size >= maxNames || languages.size >= most) break
  }
  return languages
}

/** Makes the grammars of a text ready, and colours its blocks of code as on pages, until there is too much. */
export const createFences = async ({ tokensOf, classOfColour }: RenderTools, text: string) => {
  const most = mostOf(text)
  const tokenHtml = createTokenHtml(classOfColour)
  const languages = languagesIn(text, most.languages)
  for (const language of languages.values()) await tokensOf(warmUp, language)
  let [chars, blocks] = [0, 0]

  const htmlOf = async ({ code, info }: Code) => {
    const language = languages.get(firstWord(info) ?? '')
    if (language === undefined || blocks >= most.blocks || chars + code.length > most.chars)
      return showText(code)
    chars += code.length
    blocks++
    const lines = await tokensOf(code.replace(/\n$/, ''), language)
    return lines.map((tokens) => tokens.map(tokenHtml).join('')).join('\n')
  }
  return { show: async (code: Code) => `<pre tabindex=0><code>${await htmlOf(code)}</code></pre>\n` }
}
export type Fences = Awaited<ReturnType<typeof createFences>>

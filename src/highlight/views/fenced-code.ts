import type { RenderTools } from '../child/views.ts'
import { findLanguage } from '../languages/languages.ts'
import { createTokenHtml } from '../render.ts'
import { showText } from '../show-text.ts'
import type { Code } from './markdown-blocks.ts'

/**
 * What is coloured in one preview; later code is plain. Each grammar takes 0.1 s, and 10 KiB of code as much. The words of a
 * long text need most of the time for themselves.
 */
const mostOf = (chars: number) =>
  chars > 128 * 1024
    ? { chars: 16 * 1024, blocks: 50, languages: 2 }
    : { chars: 64 * 1024, blocks: 200, languages: 6 }

/** Names of languages that are looked up: the nearest one to an unknown name takes a while. */
const maxNames = 200

/** The id of the language that the first word of an info string names. */
const languageOf = (info: string) => {
  const word = /^[^\s{,:]{1,30}/.exec(info)?.[0]
  const found = word === undefined ? undefined : findLanguage(word)
  return found && 'id' in found ? found.id : 'text'
}

/** Colours blocks of code as on pages, until there is too much. @param textChars length of the whole text */
export const createFences = ({ tokensOf, classOfColour }: RenderTools, textChars: number) => {
  const most = mostOf(textChars)
  const tokenHtml = createTokenHtml(classOfColour)
  const known = new Map<string, string>()
  const languages = new Set<string>()
  let [chars, blocks] = [0, 0]

  const knownLanguage = (info: string) => {
    const language = known.get(info) ?? (known.size < maxNames ? languageOf(info) : 'text')
    known.set(info, language)
    return language
  }
  const hasRoom = (code: string, language: string) => {
    const isNew = !languages.has(language)
    if (language === 'text' || blocks >= most.blocks || chars + code.length > most.chars) return false
    if (isNew && languages.size >= most.languages) return false
    languages.add(language)
    chars += code.length
    blocks++
    return true
  }
  const htmlOf = async (code: string, language: string) => {
    if (!hasRoom(code, language)) return showText(code)
    const lines = await tokensOf(code.replace(/\n$/, ''), language)
    return lines.map((tokens) => tokens.map(tokenHtml).join('')).join('\n')
  }
  return {
    show: async ({ code, info }: Code) =>
      `<pre tabindex=0><code>${await htmlOf(code, knownLanguage(info))}</code></pre>\n`,
  }
}

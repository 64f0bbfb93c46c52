import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from 'typescript'
import { repository } from '../support/process.ts'

/** Whose words are checked. */
const checked = [
  '{README,SECURITY,CHANGELOG,ARCHITECTURE}.md',
  'docs/*.md',
  '{src,views,scripts}/**/*.{ts,tsx}',
]

/** Words and shapes that stop a reader, and what to write instead. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:so|m)?ever\b/i, 'anyone who'],
  [/\banew\b/i, 'again, or re…'],
  [/\b(?:likewise|alike)\b/i, 'also, the same'],
  [/\b(?:thus|hence|thereby|therein|thereof|wherein|whereof|whence|thence|herein|lest|whilst)\b/i, 'so'],
  [/\binsofar\b/i, 'as far as, or leave it out'],
  [/\bfor to\b/i, 'because, or to'],
  [/\b[Ww]hat (?:was|is|were) answered\b/, 'a 201 means …'],
  [/\bso that what\b/i, 'to let …'],
  [/\bof which\b/i, 'two sentences'],
  [/\bbut for\b/i, 'except'],
  [/\b(?:is|are|was|were) made of\b/i, 'is built from'],
  [/\bmade anew\b|\bwhat is there made\b/i, 'rebuilt'],
  [/\bunder way\b/i, 'running'],
  [/\bname that is taken\b/i, 'name already taken'],
  [/\bnothing of\b/i, 'say what is sent, shown or kept'],
  [/\bleaves? but in\b/i, 'is sent only in'],
  [/\b(?:tells|told)\b/i, 'says, shows'],
  [/\bfor who\b/i, 'for the reader'],
  [
    /(?:^|[.;:,] |\band |\bbut )who (?:must|wants?|asks?|lists?|waits?|finds?|never|types?|holds?|looks?)\b/im,
    'anyone who',
  ],
  [/(?<!\bthere )\bis no (?:list|page|name|key|text|number|data|address|backup|use)\b/i, 'is not a …'],
  [
    /\bat no other\b|\bhave that \w+ reach\b|\bleaves a doubt\b|\bis anything to do\b/i,
    'turn the sentence round',
  ],
  [/\blet go of\b|\bmust not be let\b/i, 'release, forget'],
  [/\bwhat came\b/i, 'the input, the bytes'],
  [/\bany more\b(?=[.,;])/i, 'no longer'],
  [/\bstands? (?:in|there|under|beside)\b/i, 'is in'],
]

const withoutCode = (markdown: string) => markdown.replace(/^([ \t]*)```[\s\S]*?^\1```$/gm, '')

/** Comments, strings and the texts of pages, a line for each piece; what stands between them is code. */
const wordsOfSource = (path: string, source: string) => {
  const comments = source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []
  const texts: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false))
  return [...comments.map((comment) => comment.replace(/\n\s*\*/g, ' ')), ...texts]
}

const wordsOf = async (path: string) => {
  const text = await Bun.file(join(repository, path)).text()
  const pieces = path.endsWith('.md')
    ? withoutCode(text).split(/\n\n|\n(?=- |\|)/)
    : wordsOfSource(path, text)
  return pieces.map((piece) => piece.replace(/\s+/g, ' ').trim())
}

const complaintsOf = (words: string) =>
  patterns.flatMap(([pattern, better]) => {
    const [found] = pattern.exec(words) ?? []
    return found === undefined ? [] : [`"${found}" (${better}) in: ${words.slice(0, 160)}`]
  })

describe('plain English', () => {
  test('is what documents are written in', async () => {
    const paths = checked.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(repository)]).sort()
    expect(paths.length).toBeGreaterThan(15)
    const complaints: string[] = []
    for (const path of paths)
      for (const words of await wordsOf(path))
        complaints.push(...complaintsOf(words).map((complaint) => `${path}: ${complaint}`))
    expect(complaints).toEqual([])
  })

  test.each([
    'Whoever has the link can read it',
    'What was answered with `201` is on disk',
    'it gets what is there made anew',
    'Nothing of a limited item leaves but in an answer',
    'so that what is still under way ends',
    'a name that is taken',
    'The text is left out, for to read it is a use',
    'an empty paste, of which nothing is made',
    'at no other setting is anything to do',
    'and who lists waits',
    'Have that code reach you',
  ])('does not say: %s', (sentence) => {
    expect(complaintsOf(sentence)).not.toEqual([])
  })

  test('is looked for in comments, strings and texts of pages, not in code', () => {
    const source = "/** Whoever */ const thus = 'anew' // hence\nconst p = <p>likewise {`insofar`}</p>"
    expect(wordsOfSource('a.tsx', source).flatMap(complaintsOf)).toHaveLength(5)
  })
})

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { repository } from '../support/process.ts'

const documents = ['{README,SECURITY,CHANGELOG,ARCHITECTURE}.md', 'docs/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(repository)])
  .sort()
const linesOf = async (path: string) => (await Bun.file(join(repository, path)).text()).trimEnd().split('\n')

describe('a document', () => {
  test('has no line of more than 120 columns, in tables and code too', async () => {
    expect(documents.length).toBeGreaterThan(15)
    for (const path of documents) {
      const lines = await linesOf(path)
      const long = lines.flatMap((line, at) => (line.length > 120 ? [`${path}:${at + 1}`] : []))
      expect(long).toEqual([])
    }
  })

  test('has at most 200 lines, README 130; the attacks 280, the reference 320', async () => {
    const most: Readonly<Record<string, number>> = {
      'README.md': 130,
      'docs/reference.md': 320,
      'docs/attacks.md': 280,
    }
    for (const path of documents)
      expect((await linesOf(path)).length, path).toBeLessThanOrEqual(most[path] ?? 200)
  })

  test('of docs/ says what it is for, then shows a command', async () => {
    for (const path of documents.filter((one) => one.startsWith('docs/') && one !== 'docs/README.md')) {
      const [title = '', empty, purpose = ''] = await linesOf(path)
      expect(title, path).toStartWith('# ')
      expect([empty, /^\w/.test(purpose)], path).toEqual(['', true])
      const opening = (await linesOf(path)).slice(0, 25).join('\n')
      expect(/^```(sh|console)\n/m.test(opening.split('\n## ')[0] ?? ''), path).toBe(true)
    }
  })
})

/** Lines of a block that a reader types, and a `#` that a shell may take for a comment. */
const commentsIn = (lines: readonly string[]) => {
  let typed = false
  return lines.flatMap((line, at) => {
    const [, language] = /^ *```(\w*)/.exec(line) ?? []
    if (language !== undefined) typed = !typed && ['sh', 'console'].includes(language)
    // The first line of a script is for the kernel, and nobody types it.
    return typed && /(?:^|\s)#(?!!\/)/.test(line) ? [at + 1] : []
  })
}

describe('a command to type', () => {
  test('has no comment, because an interactive zsh takes its words for arguments', async () => {
    for (const path of documents) expect(commentsIn(await linesOf(path)), path).toEqual([])
  })

  test.each([
    ['npm start  # serves', [2]],
    ['  # serves', [2]],
    ["curl 'http://nas/p/a#L1' | head", []],
    ['#!/bin/sh', []],
  ])('is searched: %s', (line, found) => {
    for (const language of ['sh', 'console'])
      expect(commentsIn([`\`\`\`${language}`, line, '```', '# A heading'])).toEqual(found)
    expect(commentsIn(['```yaml', line, '```'])).toEqual([])
  })
})

test('CHANGELOG.md begins with the version of package.json', async () => {
  const [, first] = /^## (\S+)/m.exec((await linesOf('CHANGELOG.md')).join('\n')) ?? []
  expect(first).toBe(version)
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentJson } from '../../src/store/documents/documents.ts'

const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const idOf = (at: number) =>
  [...Bun.hash.xxHash64(String(at)).toString(31).padStart(10, '0').slice(0, 10)]
    .map((char) => letters[Number.parseInt(char, 31)])
    .join('')

/** Writes the documents of so many pastes into a data folder, faster than a server would take them. */
export const writeManyPastes = (data: string, count: number, textOf: (at: number) => string) => {
  const ids = new Set<string>()
  for (let at = 0; ids.size < count; at++) {
    const id = idOf(at)
    if (ids.has(id)) continue
    ids.add(id)
    const shard = join(data, 'pastes', id.slice(0, 2))
    mkdirSync(shard, { recursive: true })
    const facts = { createdAt: 1_700_000_000_000 + at * 1000, owner: 'default', deletionHash: '0'.repeat(64) }
    const words = { title: `file-${at}.ts`, description: '', language: at % 2 ? 'typescript' : 'json' }
    writeFileSync(
      join(shard, `${id}.json`),
      documentJson.encode({ id, ...facts, ...words, text: textOf(at) }),
    )
  }
}

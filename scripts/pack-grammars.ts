// `bun scripts/pack-grammars.ts`: the grammars of shiki in one file, for the sources and the executable. As modules they
// took 15 MB more of the executable: their text, and once more as strings of its bytecode.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundledLanguages } from 'shiki/langs'

/** The package that they are from. */
export const grammarsPackage = '@shikijs/langs'

const packFile = join(import.meta.dir, '../node_modules/.shortcrust-grammars.pack')

/** Of the higher levels, 19 saves 4 % and takes four times as long. */
const level = 12

/** Writes the pack: the length of a table in JSON, the table, a zstd frame for each grammar. `openGrammars` reads it. */
export const packGrammars = async () => {
  const [at, of]: [Record<string, [number, number]>, Record<string, string[]>] = [{}, {}]
  const frames: Uint8Array[] = []
  let end = 0
  for (const [language, load] of Object.entries(bundledLanguages)) {
    const { default: grammars } = await load()
    of[language] = grammars.map(({ name }) => name)
    for (const grammar of grammars) {
      if (at[grammar.name]) continue
      const frame = Bun.zstdCompressSync(JSON.stringify(grammar), { level })
      at[grammar.name] = [end, frame.length]
      frames.push(frame)
      end += frame.length
    }
  }
  const table = Buffer.from(JSON.stringify({ at, of }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(table.length)
  await Bun.write(packFile, Buffer.concat([length, table, ...frames]))
}

/** Writes the pack where it is missing, as in a container that ran no `npm run`. */
export const ensureGrammars = async () => {
  if (!existsSync(packFile)) await packGrammars()
}

if (import.meta.main) await packGrammars()

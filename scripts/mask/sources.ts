import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findSecrets } from '../../src/mask/mask.ts'

const mostBytes = 1024 ** 2
/** Not written by people: bundles, maps and binary files. */
const isMade = (path: string) =>
  /\.(?:min\.js|map|svg|png|jpe?g|gif|ico|woff2?|ttf|eot|wasm|gz|xz|zip|mo|pyc|so|a|o|node|pdf|jar|class|exe|dll)$/i.test(
    path,
  )

/** A text of a file that a paste could be; `undefined` for others. */
const textOf = (path: string) => {
  try {
    const { size } = statSync(path)
    if (size === 0 || size > mostBytes) return undefined
    const bytes = readFileSync(path)
    return bytes.includes(0) ? undefined : bytes.toString()
  } catch {
    return undefined
  }
}

export type Hits = {
  folder: string
  files: number
  lines: number
  kinds: Map<string, number>
  shown: string[]
}

/** What is found in all sources of a folder. @param isShown true for kinds whose places are listed */
export const hitsIn = (folder: string, isShown: (kind: string) => boolean): Hits => {
  const hits: Hits = { folder, files: 0, lines: 0, kinds: new Map(), shown: [] }
  for (const name of new Bun.Glob('**/*').scanSync({ cwd: folder, onlyFiles: true })) {
    const text = isMade(name) ? undefined : textOf(join(folder, name))
    if (text === undefined) continue
    hits.files++
    hits.lines += text.split('\n').length
    for (const { kind, line, value } of findSecrets(text)) {
      hits.kinds.set(kind, (hits.kinds.get(kind) ?? 0) + 1)
      if (isShown(kind))
        hits.shown.push(`${kind}\t${name}:${line}\t${value.slice(0, 60).replaceAll('\n', '⏎')}`)
    }
  }
  return hits
}

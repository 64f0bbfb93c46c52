import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredPaste } from '../../items/schema.ts'
import type { Form } from './paste-forms.ts'
import { samplePage } from './paste-view.ts'

/** Hashing so much makes the server busy for less than 1 ms. */
const pieceChars = 256 * 1024

const revisions = new WeakMap<StoredPaste, string | Promise<string>>()

const revisionFrom = ({ id, text: _, ...rest }: StoredPaste, hash: bigint | number) =>
  `${id}.${Bun.hash(JSON.stringify(rest), BigInt(hash)).toString(36)}`

/** Others are answered in between. */
const hashLarge = async (text: string) => {
  let hash: bigint | number = 0n
  for (let start = 0; start < text.length; start += pieceChars) {
    hash = Bun.hash(text.slice(start, start + pieceChars), BigInt(hash))
    await nextTurn()
  }
  return hash
}

const makeRevision = (paste: StoredPaste): string | Promise<string> => {
  if (paste.text.length <= pieceChars) return revisionFrom(paste, Bun.hash(paste.text))
  return hashLarge(paste.text).then((hash) => {
    const revision = revisionFrom(paste, hash)
    revisions.set(paste, revision)
    return revision
  })
}

/** A name of this very content of a paste: any change of its document changes it. Told once, it is known. */
export const revisionOf = (paste: StoredPaste): string | Promise<string> => {
  const known = revisions.get(paste)
  if (known !== undefined) return known
  const made = makeRevision(paste)
  revisions.set(paste, made)
  return made
}

export type PasteTagsParts = {
  /** Names the program that makes the answers, its commit included. */
  program: string
}

/**
 * Entity tags of what a paste answers, known before anything is made: of the paste's revision and of the program, so that
 * a new program never confirms a page of an old one.
 */
export const createPasteTags = ({ program }: PasteTagsParts) => {
  let maker: string | undefined
  const tag = (revision: string, what: string) => {
    // Not at the start, which it would make longer.
    maker ??= Bun.hash(program + samplePage()).toString(36)
    return `"${Bun.hash(`${maker} ${revision} ${what}`).toString(36)}"`
  }

  return {
    /** @param language that it is read in @param nearest the language that its notice names */
    page: (revision: string, { language, nearest }: { language: string; nearest?: string | undefined }) =>
      tag(revision, `page ${language}${nearest === undefined ? '' : ` ${nearest}`}`),
    form: (revision: string, form: Form) => tag(revision, form),
  }
}

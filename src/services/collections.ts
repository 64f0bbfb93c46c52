import { compileCheck } from '../schema/check.ts'
import { StoredLink, StoredPaste } from '../schema.ts'
import type { CollectionRules } from '../store/inspect.ts'
import { normaliseAlias } from './aliases.ts'
import { type ItemKind, normaliseId } from './ids.ts'

export const pasteCheck = compileCheck(StoredPaste)
export const linkCheck = compileCheck(StoredLink)

const namesOf = (kind: ItemKind) => ({
  isId: (name: string) => normaliseId(kind, name) === name,
  isAlias: (name: string) => normaliseAlias(name) === name,
})

/** The folders of documents and what they may hold. */
export const collections: CollectionRules = {
  pastes: { check: pasteCheck, ...namesOf('paste') },
  links: { check: linkCheck, ...namesOf('link') },
}

import { compileCheck } from '../items/check.ts'
import { type ItemKind, normaliseId } from '../items/ids.ts'
import { StoredLink } from '../items/link.ts'
import { StoredPaste } from '../items/paste.ts'
import type { CollectionRules } from '../store/folder/inspect.ts'
import { normaliseAlias } from './options.ts'

export const pasteCheck = compileCheck(StoredPaste)
export const linkCheck = compileCheck(StoredLink)

/** True for the stored form of an id of this kind. */
export const isIdOf = (kind: ItemKind) => (name: string) => normaliseId(kind, name) === name

const namesOf = (kind: ItemKind) => ({
  isId: isIdOf(kind),
  isAlias: (name: string) => normaliseAlias(name) === name,
})

/** The folders of documents, and what they may contain. */
export const collections: CollectionRules = {
  pastes: { check: pasteCheck, ...namesOf('paste') },
  links: { check: linkCheck, ...namesOf('link') },
}

import { compileCheck } from '../schema/check.ts'
import { StoredLink, StoredPaste } from '../schema.ts'
import type { CollectionRules } from '../store/inspect.ts'
import { normaliseId } from './ids.ts'

export const pasteCheck = compileCheck(StoredPaste)
export const linkCheck = compileCheck(StoredLink)

/** The folders of documents and what they may hold. */
export const collections: CollectionRules = {
  pastes: { check: pasteCheck, isId: (name) => normaliseId('paste', name) === name },
  links: { check: linkCheck, isId: (name) => normaliseId('link', name) === name },
}

import type { ItemKind } from '../items/ids.ts'
import { linkTable, type StoredLink } from '../items/link.ts'
import { pasteTable, type StoredPaste } from '../items/paste.ts'
import type { OwnerIndex } from '../store/derived/owner-index.ts'
import type { AliasStore } from '../store/documents/alias-store.ts'
import type { Collection } from '../store/documents/collection.ts'
import { createShortener } from './lengths.ts'
import { createLinks, type Links } from './links.ts'
import { createOwnItems, type OwnItems, type OwnItemsParts } from './own-items.ts'
import { createOwnerList } from './owner-lists.ts'
import { createPastes, type Pastes, type PastesParts } from './pastes.ts'

export type ItemServicesParts = Pick<
  PastesParts,
  'ids' | 'now' | 'addExpiry' | 'lifetimeOf' | 'findLanguage' | 'maxBytes'
> &
  Pick<OwnItemsParts<StoredPaste>, 'onDamage'> & {
    pastes: Collection<StoredPaste>
    links: Collection<StoredLink>
    /** Names of pastes, or of links. */
    aliases: (collection: string) => AliasStore
    index: OwnerIndex
    /** Counts what happens to items, where that is asked for. */
    around: <T extends Pastes | Links>(kind: ItemKind, items: T) => T
  }

export type ItemServices = {
  pastes: Pastes
  links: Links
  ownPastes: OwnItems<StoredPaste>
  ownLinks: OwnItems<StoredLink>
}

/** Pastes and links, and what each key made of them. */
export const createItemServices = (parts: ItemServicesParts): ItemServices => {
  const { index, aliases, around, ids, now, addExpiry, lifetimeOf, findLanguage, maxBytes, onDamage } = parts
  const common = { ids, now, addExpiry, lifetimeOf }
  const ofPastes = { collection: parts.pastes, ownerList: createOwnerList(index, 'pastes') }
  const ofLinks = { collection: parts.links, ownerList: createOwnerList(index, 'links') }
  const pastes = around(
    'paste',
    createPastes({ ...ofPastes, aliases: aliases('pastes'), ...common, findLanguage, maxBytes }),
  )
  const links = around('link', createLinks({ ...ofLinks, aliases: aliases('links'), ...common }))
  return {
    pastes,
    links,
    ownPastes: createOwnItems({
      ...ofPastes,
      kind: 'paste',
      items: pastes,
      listed: createShortener(pasteTable),
      now,
      onDamage,
    }),
    ownLinks: createOwnItems({
      ...ofLinks,
      kind: 'link',
      items: links,
      listed: createShortener(linkTable),
      now,
      onDamage,
    }),
  }
}

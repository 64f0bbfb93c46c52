import type { ItemKind } from '../items/ids.ts'
import { linkTable, type StoredLink } from '../items/link.ts'
import { pasteTable, type StoredPaste } from '../items/paste.ts'
import type { ItemStore } from '../store/documents/item-store.ts'
import { createShortener } from './lengths.ts'
import { createLinks, type Links } from './links.ts'
import { createOwnItems, type OwnItems } from './own-items.ts'
import { createPastes, type Pastes, type PastesParts } from './pastes.ts'

export type ItemServicesParts = Omit<PastesParts, 'store'> & {
  stores: { paste: ItemStore<StoredPaste>; link: ItemStore<StoredLink> }
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
export const createItemServices = ({ stores, around, ...parts }: ItemServicesParts): ItemServices => {
  const pastes = around('paste', createPastes({ ...parts, store: stores.paste }))
  const links = around('link', createLinks({ ...parts, store: stores.link }))
  return {
    pastes,
    links,
    ownPastes: createOwnItems({
      kind: 'paste',
      items: pastes,
      store: stores.paste,
      listed: createShortener(pasteTable),
    }),
    ownLinks: createOwnItems({
      kind: 'link',
      items: links,
      store: stores.link,
      listed: createShortener(linkTable),
    }),
  }
}

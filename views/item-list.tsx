import { Html, type PropsWithChildren } from '@elysiajs/html'
import { targetParts } from '../src/format.ts'
import type { Expiring } from './fields.tsx'

/** An item of a list, in words. */
export type ListedItem = Expiring & {
  /** Where the API has it, from the root: `pastes/7y84tyt5ec`. */
  path: string
  name: string
  /** What the name is, if it is no title: the first line of a text, `/s/name`, or only a word for one without a name. */
  nameIs?: 'first-line' | 'short' | 'untitled' | undefined
  url: string
  /** Of a short link; empty for one that only its visitors may see. */
  target?: string
  /** Language of a paste, and in a list of others whose item it is. */
  about: string
  size: string
  /** `3 reads`; with a limit, `2 reads left`. */
  uses: string
  /** True if it burns after reading. */
  isBurning?: boolean
  createdAt: string
  createdAtText: string
  /** Only in the order of changes. */
  changedAt?: string
  changedAtText?: string
  /** In the list of an admin key, whose rows can be selected. */
  owner?: string | undefined
}

/** Addresses of one host differ at their ends: where there is little room, one is cut before its end. */
const Target = ({ target }: { target: string }) => {
  const [head, tail] = target === '' ? ['A short link with a limit of visits', ''] : targetParts(target)
  return (
    <span class="item-target" title={Html.escapeHtml(target)}>
      <span class="head" safe>
        {head}
      </span>
      <span class="tail" safe>
        {tail}
      </span>
    </span>
  )
}

const Facts = ({ about, size, uses, ...times }: ListedItem) => (
  <span class="item-facts">
    <span class="item-about" safe>
      {about}
    </span>
    <span class="num" safe>
      {size}
    </span>
    <span class="num" safe>
      {uses}
    </span>
    <span class="item-expiry">
      {times.expiresAt === undefined ? null : (
        <>
          <span data-nojs>until </span>
          <time class="left" datetime={times.expiresAt} safe>
            {times.expiresAtText ?? ''}
          </time>
        </>
      )}
    </span>
    <span>
      {times.changedAt === undefined ? null : 'changed '}
      <time datetime={times.changedAt ?? times.createdAt} safe>
        {times.changedAtText ?? times.createdAtText}
      </time>
    </span>
  </span>
)

/** One item of any list. Scripts add the buttons. */
export const ItemRow = (item: ListedItem) => {
  const { path, name, nameIs, url, target, owner, isBurning } = item
  return (
    <li
      data-path={Html.escapeHtml(path)}
      {...(owner !== undefined && { 'data-owner': Html.escapeHtml(owner) })}
      data-burning={isBurning}
    >
      {owner === undefined ? null : (
        <input type="checkbox" aria-label={Html.escapeHtml(`Select “${name}” of ${owner}`)} />
      )}
      <span class="item-face">
        <a
          class={nameIs === undefined ? 'item-name' : `item-name ${nameIs}`}
          href={Html.escapeHtml(url)}
          title={Html.escapeHtml(name)}
          safe
        >
          {name}
        </a>
        {target === undefined ? null : <Target target={target} />}
      </span>
      <Facts {...item} />
    </li>
  )
}

/** How many items there are in all, of each kind. */
export type Totals = { pastes: number; links: number }

export type ItemRowsProps = {
  items: readonly ListedItem[]
  /** The cursor of the next page. */
  after?: string | undefined
  /** False if the server still reads texts, so there may be more. */
  isComplete?: boolean
  totals: Totals
}

/** A page of a list: a part of the page without a script, and what a script puts in its place. */
export const ItemRows = ({ items, after, isComplete = true, totals }: ItemRowsProps) => (
  <ul
    class="item-list"
    {...(after !== undefined && { 'data-after': after })}
    data-partial={!isComplete}
    data-pastes={String(totals.pastes)}
    data-links={String(totals.links)}
  >
    {items.map((item) => (
      <ItemRow {...item} />
    ))}
  </ul>
)

/** A list that a script fills, with what it says of it. */
export const ItemList = () => (
  <>
    <ul class="item-list" />
    <div class="items-more">
      <button class="button" id="more-items" type="button" hidden>
        Show more
      </button>
      <p class="quiet" id="items-state" role="status" />
      <p class="field-error" id="items-error" role="alert" />
    </div>
  </>
)

/** In place of an empty list. @param children what will be listed here, and the next step */
export const NothingYet = ({ children }: PropsWithChildren) => (
  <div class="nothing-yet">
    <h2>Nothing here yet</h2>
    {children as 'safe'}
  </div>
)

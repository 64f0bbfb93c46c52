import { Html } from '@elysiajs/html'
import type { Expiring } from './fields.tsx'

/** An item of a list, in words. */
export type ListedItem = Expiring & {
  /** Where the API has it, from the root: `pastes/7y84tyt5ec`. */
  path: string
  name: string
  url: string
  /** Language of a paste, name of a link, or whose item it is; and the size where the list is about sizes. */
  about: string
  /** `3 reads` */
  uses: string
  /** `2 left`; empty without a limit. */
  left: string
  createdAt: string
  createdAtText: string
  /** Only in the order of changes. */
  changedAt?: string
  changedAtText?: string
  /** In the list of an admin key, whose rows can be selected. */
  owner?: string | undefined
}

/** One item of any list. Scripts add the buttons. */
export const ItemRow = ({ path, name, url, about, uses, left, owner, ...times }: ListedItem) => (
  <li
    data-path={Html.escapeHtml(path)}
    {...(owner !== undefined && { 'data-owner': Html.escapeHtml(owner) })}
  >
    {owner === undefined ? null : (
      <input type="checkbox" aria-label={Html.escapeHtml(`Select “${name}” of ${owner}`)} />
    )}
    <a class="item-name" href={Html.escapeHtml(url)} title={Html.escapeHtml(name)} safe>
      {name}
    </a>
    <span class="item-facts">
      <span class="item-kind" safe>
        {about}
      </span>
      <span safe>{uses}</span>
      <span class="item-left" safe>
        {left}
      </span>
      <span class="item-expiry">
        {times.expiresAt === undefined ? null : (
          <>
            <span class="word">expires </span>
            <time datetime={times.expiresAt} safe>
              {times.expiresAtText ?? ''}
            </time>
          </>
        )}
      </span>
      <span>
        {times.changedAt === undefined ? null : <span class="word">changed </span>}
        <time datetime={times.changedAt ?? times.createdAt} safe>
          {times.changedAtText ?? times.createdAtText}
        </time>
      </span>
    </span>
  </li>
)

export type ItemRowsProps = {
  items: readonly ListedItem[]
  /** The cursor of the next page. */
  after?: string | undefined
  /** False if the server still reads texts, so there may be more. */
  isComplete?: boolean
}

/** A page of a list: a part of the page without a script, and what a script puts in its place. */
export const ItemRows = ({ items, after, isComplete = true }: ItemRowsProps) => (
  <ul class="item-list" {...(after !== undefined && { 'data-after': after })} data-partial={!isComplete}>
    {items.map((item) => (
      <ItemRow {...item} />
    ))}
  </ul>
)

/** A list that a script fills, with what it says of it. */
export const ItemList = () => (
  <>
    <p class="quiet" id="items-state" role="status" />
    <ul class="item-list" />
    <div class="row">
      <p class="field-error" id="items-error" role="alert" />
      <button class="button" id="more-items" type="button" hidden>
        Show more
      </button>
    </div>
  </>
)

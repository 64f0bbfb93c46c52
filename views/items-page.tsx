import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { type Expiring, Expiry } from './fields.tsx'
import { FindingFields } from './finding-fields.tsx'
import type { Typed } from './form-props.ts'
import { Ages, Layout, type Site } from './layout.tsx'

export type ListedItem = Expiring & {
  name: string
  url: string
  /** The language of a paste, the name of a link. */
  about: string
  /** Reads or visits. */
  uses: number
  createdAt: string
  createdAtText: string
}

export type ItemsPageProps = {
  site: Site
  /** Name of the API key. */
  owner: string
  /** What was searched, and the chosen order. */
  typed: Typed
  pastes: readonly ListedItem[]
  links: readonly ListedItem[]
  isMore: boolean
  /** False if the server still reads texts, so there may be more. */
  isComplete: boolean
}

const countOf = (count: number, [one, many]: readonly [string, string]) =>
  count === 1 ? `1 ${one}` : `${countText(count)} ${many}`

const List = ({
  title,
  words,
  items,
}: {
  title: string
  words: readonly [string, string]
  items: readonly ListedItem[]
}) => (
  <section>
    <h2 safe>{title}</h2>
    {items.length === 0 ? <p class="quiet">None yet.</p> : null}
    <ul class="item-list">
      {items.map((item) => (
        <li>
          <a class="item-name" href={Html.escapeHtml(item.url)} title={Html.escapeHtml(item.name)} safe>
            {item.name}
          </a>
          <span class="item-facts">
            <span class="item-kind" safe>
              {item.about}
            </span>
            <span safe>{countOf(item.uses, words)}</span>
            <span />
            <span class="item-expiry">{item.expiresAt === undefined ? null : <Expiry {...item} />}</span>
            <span>
              <time datetime={item.createdAt} safe>
                {item.createdAtText}
              </time>
            </span>
          </span>
        </li>
      ))}
    </ul>
  </section>
)

/** How many there are, and why there may be more. */
const Count = ({ owner, pastes, links, typed, isMore, isComplete }: ItemsPageProps) => {
  const isNothing = pastes.length + links.length === 0
  const counts = `${countOf(pastes.length, ['paste', 'pastes'])} and ${countOf(links.length, ['short link', 'short links'])}`
  const said = isNothing && typed.q ? 'Nothing' : counts
  return (
    <p class="quiet">
      <span safe>{typed.q ? `${said} found for “${typed.q}”` : counts}</span>, created with the key{' '}
      <strong safe>{owner}</strong>.
      {isMore ? ' The list shows 50 of each kind; the API and the command line show all.' : ''}
      {isComplete ? '' : ' The server still reads texts; there may be more.'}
    </p>
  )
}

/** Searches again. The key is needed again, because no page contains it. */
const Again = ({ typed }: Pick<ItemsPageProps, 'typed'>) => (
  <form method="post" action="./" aria-label="Find items">
    <FindingFields typed={typed} />
    <label class="field">
      API key, once more
      <input name="key" type="password" autocomplete="off" spellcheck="false" required />
    </label>
    <p>
      <button class="button" type="submit" name="create" value="items">
        List my items
      </button>
    </p>
  </form>
)

/** What a key created, or what was found of it, for browsers without JavaScript. */
export const ItemsPage = (props: ItemsPageProps) => {
  const { site, typed, pastes, links } = props
  const isShown = (items: readonly ListedItem[]) => !typed.q || items.length > 0
  return (
    <Layout title="My items" site={site} place="items" style={site.itemsStyle} isWide>
      <section class="my-items">
        <div class="items-head">
          <h1>My items</h1>
        </div>
        <Again typed={typed} />
        <Count {...props} />
        {isShown(pastes) ? <List title="Pastes" words={['read', 'reads']} items={pastes} /> : null}
        {isShown(links) ? <List title="Short links" words={['visit', 'visits']} items={links} /> : null}
        <Ages site={site} />
      </section>
    </Layout>
  )
}

import { Html } from '@elysiajs/html'
import { countText } from './count-text.ts'
import { type Expiring, Expiry } from './expiry.tsx'
import { Ages, Layout, type Site } from './layout.tsx'

export type ListedItem = Expiring & {
  name: string
  url: string
  /** Reads or visits. */
  uses: number
  createdAt: string
  createdAtText: string
}

export type ItemsPageProps = {
  site: Site
  /** Name of the API key. */
  owner: string
  pastes: readonly ListedItem[]
  links: readonly ListedItem[]
  isMore: boolean
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
    <ul class="rows">
      {items.map((item) => (
        <li>
          <a href={Html.escapeHtml(item.url)} safe>
            {item.name}
          </a>
          <p class="quiet">
            <span safe>{countOf(item.uses, words)}</span>, created{' '}
            <time datetime={item.createdAt} safe>
              {item.createdAtText}
            </time>
            {item.expiresAt === undefined ? null : (
              <>
                , <Expiry {...item} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  </section>
)

/** What a key created, for browsers without JavaScript. */
export const ItemsPage = ({ site, owner, pastes, links, isMore }: ItemsPageProps) => (
  <Layout title="My items · Shortcrust" site={site} place="items">
    <section class="card narrow">
      <h1>My items</h1>
      <p class="quiet">
        Created with the key <strong safe>{owner}</strong>, newest first.
        {isMore ? ' The list shows 50 of each kind; the API and the command line show all.' : ''}
      </p>
      <List title="Pastes" words={['read', 'reads']} items={pastes} />
      <List title="Short links" words={['visit', 'visits']} items={links} />
      <Ages site={site} />
    </section>
  </Layout>
)

import { Html } from '@elysiajs/html'
import { countOf } from '../src/format.ts'
import { FindingFields } from './finding-fields.tsx'
import type { Typed } from './form-props.ts'
import { ItemRows, type ItemRowsProps, NothingYet } from './item-list.tsx'
import { Ages, Layout, type Site } from './layout.tsx'

export type ItemsPageProps = {
  site: Site
  /** Name of the API key. */
  owner: string
  /** What was searched, and the chosen order. */
  typed: Typed
  pastes: ItemRowsProps
  links: ItemRowsProps
}

const List = ({ title, rows }: { title: string; rows: ItemRowsProps }) => (
  <section>
    <h2 safe>{title}</h2>
    {rows.items.length === 0 ? <p class="quiet">None yet.</p> : null}
    <ItemRows {...rows} />
  </section>
)

/** How many there are, and why there may be more. */
const Count = ({ owner, pastes, links, typed }: ItemsPageProps) => {
  const found = { pastes: pastes.items.length, links: links.items.length }
  const isNothing = found.pastes + found.links === 0
  const counted = typed.q ? found : pastes.totals
  const isMore = [pastes, links].some(({ after }) => after !== undefined)
  const isComplete = [pastes, links].every((rows) => rows.isComplete !== false)
  const counts = `${countOf(counted.pastes, 'paste')} and ${countOf(counted.links, 'short link')}`
  const said = isNothing && typed.q ? 'Nothing' : counts
  return (
    <p class="quiet">
      <span safe>{typed.q ? `${said} found for “${typed.q}”` : counts}</span>, made with the key{' '}
      <strong safe>{owner}</strong>.
      {isMore ? ' The list shows 50 of each kind; the API and the command line show all.' : ''}
      {isComplete ? '' : ' The server is still reading texts; there may be more.'}
    </p>
  )
}

/** Searches again. The key is needed again, because no page contains it. */
const Again = ({ typed }: Pick<ItemsPageProps, 'typed'>) => (
  <form method="post" action="./" aria-label="Find items">
    <FindingFields typed={typed} />
    <label class="field">
      API key, again
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
  const isNothing = pastes.totals.pastes + pastes.totals.links === 0
  const isShown = ({ items }: ItemRowsProps) => items.length > 0 || !(typed.q || isNothing)
  return (
    <Layout title="My items" site={site} place="items" style={site.itemsStyle} isWide>
      <section class="my-items">
        <div class="items-head">
          <h1>My items</h1>
        </div>
        <Again typed={typed} />
        {isNothing ? (
          <NothingYet>
            <p class="quiet">
              What you create with the key <strong safe>{props.owner}</strong> appears here.
            </p>
            <p>
              <a class="button primary" href="./">
                New paste
              </a>
            </p>
          </NothingYet>
        ) : (
          <Count {...props} />
        )}
        {isShown(pastes) ? <List title="Pastes" rows={pastes} /> : null}
        {isShown(links) ? <List title="Short links" rows={links} /> : null}
        <Ages site={site} />
      </section>
    </Layout>
  )
}

import { Html } from '@elysiajs/html'
import { countText } from './count-text.ts'
import { Layout, type Site } from './layout.tsx'

const words = {
  paste: { read: 'read', button: 'Read it', last: 'Read it for the last time' },
  'short link': { read: 'followed', button: 'Follow it', last: 'Follow it for the last time' },
}

export type LimitedPageProps = {
  site: Site
  kind: keyof typeof words
  /** How often it may still be read or followed. */
  left: number
  /** Where the button POSTs, from this page; the address of the page itself when left out. */
  action?: string
}

/** Stands before an item that each use brings nearer to its end: shows nothing of it, and has one button, which POSTs. */
export const LimitedPage = ({ site, kind, left, action }: LimitedPageProps) => (
  <Layout title={`A limited ${kind} · Shortcrust`} site={site}>
    <section class="card narrow">
      <h1>A limited {kind}</h1>
      <p>
        It can be {words[kind].read as 'safe'}{' '}
        <strong safe>{left === 1 ? 'once more' : `${countText(left)} more times`}</strong>
        {left === 1 ? ', and is erased with that' : ''}.
      </p>
      <p class="quiet">Opening this page does not count. The button does, for you and for everybody else.</p>
      <form method="post" action={action === undefined ? undefined : Html.escapeHtml(action)}>
        <button class={left === 1 ? 'button danger' : 'button primary'} type="submit">
          {words[kind][left === 1 ? 'last' : 'button'] as 'safe'}
        </button>
      </form>
    </section>
  </Layout>
)

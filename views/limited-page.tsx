import { Html } from '@elysiajs/html'
import { countText } from './count-text.ts'
import { Layout, type Site } from './layout.tsx'

const words = {
  paste: { can: 'read', button: 'Show it', last: 'Show it and delete it' },
  'short link': { can: 'followed', button: 'Follow it', last: 'Follow it and delete it' },
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
export const LimitedPage = ({ site, kind, left, action }: LimitedPageProps) => {
  const { can, button, last } = words[kind]
  const title = `This ${kind} can be ${can} ${left === 1 ? 'once' : `${countText(left)} times`}`
  return (
    <Layout title={`${title} · Shortcrust`} site={site}>
      <section class="card narrow">
        <h1 safe>{`${title}.`}</h1>
        <p class="quiet">Opening this page does not count. The button does, for everybody.</p>
        <form method="post" action={action === undefined ? undefined : Html.escapeHtml(action)}>
          <button class={left === 1 ? 'button danger' : 'button primary'} type="submit" safe>
            {left === 1 ? last : button}
          </button>
        </form>
      </section>
    </Layout>
  )
}

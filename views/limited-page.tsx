import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { Layout, type Site } from './layout.tsx'

const sentences = {
  paste: { can: 'read', button: 'Show it', last: 'Show it and delete it' },
  'short link': { can: 'followed', button: 'Follow it', last: 'Follow it and delete it' },
}

export type LimitedPageProps = {
  site: Site
  kind: keyof typeof sentences
  /** Reads or visits left. */
  left: number
  /** Target of the button's POST, relative to the page; default is the page itself. */
  action?: string
}

/** Shown before an item that burns after reading: reveals none of its content. Its one button sends POST. */
export const LimitedPage = ({ site, kind, left, action }: LimitedPageProps) => {
  const { can, button, last } = sentences[kind]
  const title = `This ${kind} can be ${can} ${left === 1 ? 'once' : `${countText(left)} times`}`
  return (
    <Layout title={title} site={site}>
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

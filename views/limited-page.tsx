import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { Layout, type Site } from './layout.tsx'

const sentences = {
  paste: { can: 'read', does: 'shows the text', use: 'read', button: 'Show it' },
  'short link': { can: 'followed', does: 'follows it', use: 'visit', button: 'Follow it' },
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
  const { can, does, use, button } = sentences[kind]
  const isLast = left === 1
  const title = `This ${kind} can be ${can} ${isLast ? 'once' : `${countText(left)} times`}`
  return (
    <Layout title={title} site={site}>
      <section class="card narrow">
        <h1 safe>{`${title}.`}</h1>
        <p class="quiet" safe>
          {`Opening this page is safe. Pressing the button ${does} ${
            isLast ? 'once and deletes it' : `and takes one of the ${countText(left)} ${use}s, for everybody`
          }.`}
        </p>
        <form method="post" action={action === undefined ? undefined : Html.escapeHtml(action)}>
          <button class={isLast ? 'button danger' : 'button primary'} type="submit" safe>
            {isLast ? `${button} and delete it` : button}
          </button>
        </form>
      </section>
    </Layout>
  )
}

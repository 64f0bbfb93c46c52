import { Html } from '@elysiajs/html'
import { type Dated, type Expiring, LastChange, TimeLeft } from './fields.tsx'
import { Ages, Layout, type Site } from './layout.tsx'

/** `paste` or `short link`. */
export type KindName = 'paste' | 'short link'

const wayBack = {
  paste: { path: '', word: 'New paste' },
  'short link': { path: '?link', word: 'New short link' },
} as const

/** Links for a page where nothing is left to do. */
const Ways = ({ site, kind }: { site: Site; kind: KindName }) => (
  <p class="row">
    <a class="button primary" href={site.root + wayBack[kind].path}>
      {wayBack[kind].word as 'safe'}
    </a>
    <a class="button" href={`${site.root}?items`}>
      My items
    </a>
  </p>
)

export type DeletionPageProps = Dated &
  Expiring & {
    site: Site
    kind: KindName
    /** What a paste is called, or `/s/name`. */
    name: string
    /** Of a short link. */
    target?: string
    /** Language, size and reads, or visits; empty for what burns. */
    facts: readonly string[]
  }

/** Shows what would be deleted. The only button POSTs to the address of this page. */
export const DeletionPage = (item: DeletionPageProps) => (
  <Layout title={`Delete this ${item.kind}?`} site={item.site}>
    <section class="card narrow">
      <h1>Delete this {item.kind}?</h1>
      <p class="target">
        <span safe>{item.name}</span>
        {item.target === undefined ? null : (
          <>
            <br />
            <span class="quiet" safe>
              {item.target}
            </span>
          </>
        )}
      </p>
      <p class="quiet">
        <LastChange {...item} created="Created " />
        <span safe>{item.facts.map((fact) => `\u00a0· ${fact}`).join('')}</span>
        {item.expiresAt === undefined ? null : (
          <>
            {'\u00a0· '}
            <TimeLeft {...item} />
          </>
        )}
      </p>
      <p>Nothing has been deleted yet. Deleting cannot be undone.</p>
      <Ages site={item.site} />
      <form method="post">
        <button class="button danger" type="submit">
          Delete permanently
        </button>
      </form>
    </section>
  </Layout>
)

export type DeletionEndProps = {
  site: Site
  kind: KindName
  heading: string
  message: string
}

/** After a deletion, or for a link that deletes nothing: already used, or unknown. */
export const DeletionEndPage = ({ site, kind, heading, message }: DeletionEndProps) => (
  <Layout title={heading} site={site}>
    <section class="card narrow">
      <h1 safe>{heading}</h1>
      <p safe>{message}</p>
      <Ways site={site} kind={kind} />
    </section>
  </Layout>
)

import { Html } from '@elysiajs/html'
import { Ages, Layout, type Site } from './layout.tsx'

export type DeletionPageProps = {
  site: Site
  /** `paste` or `short link`. */
  kind: string
  /** What a person knows the item by: a title, or the address a link goes to. */
  name: string
  createdAt: string
  createdAtText: string
}

/** Shows what would be deleted; the one button POSTs to the address the page came from. */
export const DeletionPage = (item: DeletionPageProps) => (
  <Layout title={`Delete this ${item.kind}? · Shortcrust`} site={item.site}>
    <section class="card narrow">
      <h1>
        Delete this <span safe>{item.kind}</span>?
      </h1>
      <p class="target" safe>
        {item.name}
      </p>
      <p class="quiet">
        Created{' '}
        <time datetime={item.createdAt} safe>
          {item.createdAtText}
        </time>
        . Deleting cannot be undone, and nothing has been deleted yet.
      </p>
      <Ages site={item.site} />
      <form method="post">
        <button class="button danger" type="submit">
          Delete for ever
        </button>
      </form>
    </section>
  </Layout>
)

export type DeletedPageProps = { site: Site; message: string }

export const DeletedPage = ({ site, message }: DeletedPageProps) => (
  <Layout title="Deleted · Shortcrust" site={site}>
    <section class="card narrow">
      <h1>Deleted</h1>
      <p safe>{message}</p>
    </section>
  </Layout>
)

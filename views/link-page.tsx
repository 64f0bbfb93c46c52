import { Html } from '@elysiajs/html'
import { type Expiring, Expiry } from './expiry.tsx'
import { Ages, Layout, type Site } from './layout.tsx'

export type LinkPageProps = Expiring & {
  site: Site
  /** Always `http:` or `https:`, in serialised form. */
  url: string
  host: string
  createdAt: string
  createdAtText: string
  /** How often it was followed, in words. */
  visits: string
}

/** Where a short link goes, without going there. */
export const LinkPage = (link: LinkPageProps) => (
  <Layout title={`Short link to ${link.host} · Shortcrust`} site={link.site}>
    <section class="card narrow">
      <h1>This short link goes to</h1>
      <p class="target">
        {/* Kita escapes only the quotes of an attribute; `&copy;` in an address must stay as it is. */}
        <a href={Html.escapeHtml(link.url)} rel="noopener noreferrer nofollow" safe>
          {link.url}
        </a>
      </p>
      <p class="quiet">
        Host <strong safe>{link.host}</strong>, shortened{' '}
        <time datetime={link.createdAt} safe>
          {link.createdAtText}
        </time>
        . <span safe>{link.visits}</span>. Nothing was opened yet.
      </p>
      {link.expiresAt === undefined ? null : (
        <p class="quiet">
          <Expiry {...link} />
        </p>
      )}
    </section>
    <Ages site={link.site} />
  </Layout>
)

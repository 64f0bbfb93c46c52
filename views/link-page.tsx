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
      <h1>
        This short link goes to <span safe>{link.host}</span>
      </h1>
      <p class="target" tabindex="0" safe>
        {link.url}
      </p>
      <p>
        <span safe>{link.visits}</span>. You have not left this page.
      </p>
      <p class="ways">
        {/* Kita escapes only the quotes of an attribute; `&copy;` in an address must stay as it is. */}
        <a class="button primary" href={Html.escapeHtml(link.url)} rel="noopener noreferrer nofollow">
          Continue
        </a>
        <button class="button" type="button" data-copy={Html.escapeHtml(link.url)} data-js>
          Copy address
        </button>
      </p>
      <p class="quiet">
        Created{' '}
        <time datetime={link.createdAt} safe>
          {link.createdAtText}
        </time>
        {link.expiresAt === undefined ? null : (
          <>
            . <Expiry {...link} />
          </>
        )}
        .
      </p>
    </section>
    <Ages site={link.site} />
  </Layout>
)

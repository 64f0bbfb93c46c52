import { Html } from '@elysiajs/html'
import { type Dated, type Expiring, Expiry, LastChange } from './fields.tsx'
import { Ages, Layout, type Site } from './layout.tsx'

export type LinkPageProps = Dated &
  Expiring & {
    site: Site
    /** The name in its address: alias or id. */
    name: string
    /** Serialised, and always `http:` or `https:`. */
    url: string
    host: string
    /** Number of visits, in words. */
    visits: string
  }

/** The target of a short link, without following it. */
export const LinkPage = (link: LinkPageProps) => (
  <Layout title={`Short link to ${link.host}`} site={link.site}>
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
        {/* Kita escapes only quotes in attributes, and `&copy;` in an address must stay. */}
        <a class="button primary" href={Html.escapeHtml(link.url)} rel="noopener noreferrer nofollow">
          Continue
        </a>
        <button class="button" type="button" data-copy={Html.escapeHtml(link.url)} data-js>
          Copy address
        </button>
        {/* Invisible until a script has asked whether the kept key made the link. */}
        <a
          class="button of-key own"
          href={`${link.site.root}?link&edit=${link.name}`}
          data-own={`${link.site.root}links/${link.name}`}
        >
          Edit
        </a>
      </p>
      <p class="quiet">
        <LastChange {...link} created="Created " />
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

import { Html } from '@elysiajs/html'
import { type Expiring, Expiry } from './expiry.tsx'
import { Layout, type Shortcut, type Site } from './layout.tsx'

export type PastePageProps = Expiring & {
  site: Site
  id: string
  title: string
  description: string
  language: string
  size: string
  lines: string
  createdAt: string
  createdAtText: string
  /** Lists of lines of escaped HTML, from the highlighter. */
  codeHtml: string
  fileName: string
}

const shortcuts: readonly Shortcut[] = [
  ['c', 'Copy the text'],
  ['r', 'Raw text'],
  ['d', 'Download'],
  ['w', 'Wrap long lines'],
]

const Actions = ({ site, id, fileName }: Pick<PastePageProps, 'site' | 'id' | 'fileName'>) => (
  <nav class="actions" aria-label="This paste">
    <button class="button" id="copy" type="button" data-js hidden>
      Copy
    </button>
    <a class="button" id="raw" href={`${site.root}p/raw/${id}`}>
      Raw
    </a>
    <a class="button" id="download" href={`${site.root}p/raw/${id}`} download={Html.escapeHtml(fileName)}>
      Download
    </a>
    <button class="button" id="wrap" type="button" aria-pressed="false" data-js hidden>
      Wrap
    </button>
    <details class="menu">
      <summary class="button">Language</summary>
      <form class="row">
        <label>
          Read it as
          <input name="lang" autocapitalize="none" autocomplete="off" spellcheck="false" required />
        </label>
        <button class="button" type="submit">
          Show
        </button>
      </form>
    </details>
  </nav>
)

/** A paste, highlighted. */
export const PastePage = (paste: PastePageProps) => (
  <Layout
    title={`${paste.title || 'Untitled paste'} · Shortcrust`}
    card={{ title: paste.title || 'Untitled paste', description: paste.description }}
    site={paste.site}
    script="paste"
    shortcuts={shortcuts}
  >
    <div class="heading">
      <h1 safe>{paste.title || 'Untitled paste'}</h1>
      <Actions site={paste.site} id={paste.id} fileName={paste.fileName} />
    </div>
    {paste.description === '' ? null : (
      <p class="description" safe>
        {paste.description}
      </p>
    )}
    <ul class="facts" aria-label="Facts">
      <li safe>{paste.language}</li>
      <li safe>{paste.lines}</li>
      <li safe>{paste.size}</li>
      <li>
        <time datetime={paste.createdAt} safe>
          {paste.createdAtText}
        </time>
      </li>
      {paste.expiresAt === undefined ? null : (
        <li>
          <Expiry {...paste} />
        </li>
      )}
    </ul>
    <section class="code" id="code" tabindex="0" aria-label="Content of the paste">
      {paste.codeHtml as 'safe'}
    </section>
  </Layout>
)

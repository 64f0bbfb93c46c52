import { Html } from '@elysiajs/html'
import { Layout, type Site } from './layout.tsx'

export type PastePageProps = {
  site: Site
  id: string
  title: string
  description: string
  language: string
  size: string
  lines: string
  createdAt: string
  createdAtText: string
  /** Lines of escaped HTML, from the highlighter. */
  codeHtml: string
  fileName: string
}

/** A paste, highlighted. */
export const PastePage = (paste: PastePageProps) => (
  <Layout title={`${paste.title || 'Untitled paste'} · Shortcrust`} site={paste.site}>
    <div class="heading">
      <h1 safe>{paste.title || 'Untitled paste'}</h1>
      <nav class="actions" aria-label="This paste">
        <a class="button" href={`${paste.site.root}p/raw/${paste.id}`}>
          Raw
        </a>
        <a class="button" href={`${paste.site.root}p/raw/${paste.id}`} download={paste.fileName}>
          Download
        </a>
      </nav>
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
    </ul>
    <section class="code" tabindex="0" aria-label="Content of the paste">
      <pre>
        <code>{paste.codeHtml as 'safe'}</code>
      </pre>
    </section>
  </Layout>
)

import { Html } from '@elysiajs/html'
import { countText } from './count-text.ts'
import { type Expiring, Expiry } from './expiry.tsx'
import { Ages, Layout, type Site } from './layout.tsx'
import type { Shortcut } from './shortcuts.tsx'

export type PastePageProps = Expiring & {
  site: Site
  /** What stands for it in its addresses: its alias or its id. */
  name: string
  title: string
  description: string
  language: string
  size: string
  lines: string
  createdAt: string
  createdAtText: string
  /** Lists of lines of escaped HTML, from the highlighter; or what marks their place. */
  codeHtml: string
  /** Where the page does not show the whole text: how many of its lines, and whether the last of them is whole. */
  cut?: { shown: number; total: number; isPartial: boolean } | undefined
  fileName: string
  /** Of a limited paste: how often it can be read again. */
  readsLeft?: number | undefined
}

const shortcuts: readonly Shortcut[] = [
  ['c', 'Copy the text'],
  ['r', 'Raw text'],
  ['d', 'Download'],
  ['w', 'Wrap long lines'],
]

const rawOf = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => `${site.root}p/raw/${name}`

const Actions = ({ fileName, cut, ...paste }: Pick<PastePageProps, 'site' | 'name' | 'fileName' | 'cut'>) => (
  <nav class="actions" aria-label="This paste">
    {/* It would copy what the page shows. */}
    {cut ? null : <Copy />}
    <a class="button" id="raw" href={rawOf(paste)}>
      Raw
    </a>
    <a class="button" id="download" href={rawOf(paste)} download={Html.escapeHtml(fileName)}>
      Download
    </a>
    <Wrap />
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

const Copy = () => (
  <button class="button" id="copy" type="button" data-js>
    Copy
  </button>
)

const Wrap = () => (
  <button class="button" id="wrap" type="button" aria-pressed="false" data-js>
    Wrap
  </button>
)

/** Raw, download and another language would each be a read of their own. */
const LimitedActions = () => (
  <nav class="actions" aria-label="This paste">
    <Copy />
    <Wrap />
  </nav>
)

const ReadsLeft = ({ count }: { count: number }) => (
  <p class="notice">
    {count === 0 ? (
      <>
        <strong>This was the last read.</strong> The paste is erased, and this page is all there is of it:
        copy what you need before you close it.
      </>
    ) : (
      <>
        This read was counted. <strong safe>{count === 1 ? '1 read' : `${countText(count)} reads`}</strong>{' '}
        {count === 1 ? 'is' : 'are'} left; reloading this page takes another one.
      </>
    )}
  </p>
)

const shownOf = ({ shown, total, isPartial }: NonNullable<PastePageProps['cut']>) => {
  if (isPartial && shown === 1) return 'Only the beginning of the first line is shown.'
  const first = shown === 1 ? 'first' : `first ${countText(shown)}`
  const end = isPartial ? ', the last of them only in part' : ''
  return `The ${first} of ${countText(total)} lines ${shown === 1 ? 'is' : 'are'} shown${end}.`
}

const Cut = ({ cut, raw }: { cut: NonNullable<PastePageProps['cut']>; raw: string }) => (
  <p class="notice" id="cut">
    <strong safe>{shownOf(cut)}</strong> The <a href={raw}>raw text</a> has all of{' '}
    {cut.total === 1 ? 'it' : 'them'}.
  </p>
)

/** Pressing what the page does not have would do nothing. */
const shortcutsOf = ({ readsLeft, cut }: PastePageProps) => {
  if (readsLeft !== undefined) return shortcuts.filter(([key]) => 'cw'.includes(key))
  return cut ? shortcuts.filter(([key]) => key !== 'c') : shortcuts
}

/** A paste, highlighted. */
export const PastePage = (paste: PastePageProps) => (
  <Layout
    title={`${paste.title || 'Untitled paste'} · Shortcrust`}
    {...(paste.readsLeft === undefined && {
      card: { title: paste.title || 'Untitled paste', description: paste.description },
    })}
    site={paste.site}
    script="paste"
    shortcuts={shortcutsOf(paste)}
  >
    <div class="heading">
      <h1 safe>{paste.title || 'Untitled paste'}</h1>
      {paste.readsLeft === undefined ? <Actions {...paste} /> : <LimitedActions />}
    </div>
    {paste.readsLeft === undefined ? null : <ReadsLeft count={paste.readsLeft} />}
    {paste.cut ? <Cut cut={paste.cut} raw={rawOf(paste)} /> : null}
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
    <Ages site={paste.site} />
    <section class="code" id="code" tabindex="0" aria-label="Content of the paste">
      <div class="lines">{paste.codeHtml as 'safe'}</div>
    </section>
  </Layout>
)

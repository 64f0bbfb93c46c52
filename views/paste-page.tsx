import { Html } from '@elysiajs/html'
import { Ages, Layout } from './layout.tsx'
import { canCopy, canWrap, PasteBar } from './paste-bar.tsx'
import { hasLines, PasteFacts } from './paste-facts.tsx'
import { LogBar } from './paste-log.tsx'
import { Notices } from './paste-notices.tsx'
import type { PastePageProps } from './paste-props.ts'
import type { Shortcut } from './shortcuts.tsx'

const shortcuts: readonly Shortcut[] = [
  ['c', 'Copy the text'],
  ['l', 'Copy the link, with the marked lines'],
  ['r', 'Raw text'],
  ['d', 'Download'],
  ['w', 'Wrap long lines'],
  ['g', 'Go to line'],
  ['q', 'QR code'],
  ['e', 'Duplicate: edit as a new paste'],
]
const logShortcuts: readonly Shortcut[] = [
  ['n', 'Next error'],
  ['N', 'Previous error'],
]
const followShortcut: Shortcut = ['f', 'Follow: show the newest version as it comes']

/** Leaves out the shortcuts of missing buttons. */
const shortcutsOf = (paste: PastePageProps) => {
  const missing = [canCopy(paste) ? '' : 'c', canWrap(paste) ? '' : 'w', hasLines(paste) ? '' : 'g'].join('')
  const all = shortcuts.filter(
    ([key]) => !missing.includes(key) && (paste.readsLeft === undefined || 'cwg'.includes(key)),
  )
  return [
    ...all,
    ...(paste.log?.first === undefined ? [] : logShortcuts),
    ...(paste.changedAt === undefined || paste.readsLeft !== undefined ? [] : [followShortcut]),
  ]
}

/** A text that has a preview, shown as it is. */
const hasPreview = ({ views = [] }: PastePageProps) =>
  views.some(({ view, isShown }) => view === 'preview' && !isShown)

/** The style sheets of what not every text has. */
const stylesOf = ({ site, view, languageId, filter }: PastePageProps) => {
  if (view === 'preview' || view === 'table') return [site.viewStyles[view]]
  return [...(languageId === 'diff' ? [site.diffStyle] : []), ...(filter ? [site.logStyle] : [])]
}

const GoToLine = () => (
  <dialog id="go-to-line" aria-labelledby="go-title">
    <form method="dialog">
      <h2 id="go-title">Go to line</h2>
      <label class="field">
        Line, or lines from–to
        <input
          name="lines"
          inputmode="numeric"
          placeholder="120 or 120-140"
          autocomplete="off"
          pattern="\s*\d{1,7}(\s*[\-–]\s*\d{1,7})?\s*"
          required
        />
      </label>
      <p class="row">
        <button class="button primary" type="submit">
          Go
        </button>
        <button class="button" type="submit" formnovalidate>
          Cancel
        </button>
      </p>
    </form>
  </dialog>
)

/** The page of a paste. */
export const PastePage = (paste: PastePageProps) => (
  <Layout
    title={paste.title}
    {...(paste.readsLeft === undefined && { card: { title: paste.title, description: paste.description } })}
    site={paste.site}
    script="paste"
    earlyScript={hasPreview(paste) ? 'preview' : undefined}
    style={stylesOf(paste)}
    shortcuts={shortcutsOf(paste)}
    bar={<PasteBar {...paste} />}
    isWide
  >
    <Notices {...paste} />
    <PasteFacts {...paste} />
    <Ages site={paste.site} />
    <LogBar {...paste} />
    <section
      class={paste.view === undefined ? 'code' : `code view-${paste.view}`}
      id="code"
      tabindex="0"
      aria-label="Content of the paste"
      {...(paste.isTerminal && { 'data-terminal': true })}
    >
      <div
        class={`lines digits-${paste.digits}${paste.log ? ' signs' : ''}`}
        data-version={String(paste.version)}
      >
        {paste.codeHtml as 'safe'}
      </div>
    </section>
    {paste.changedAt === undefined ? null : (
      <script src={paste.site.root + paste.site.scripts.follow} type="module" />
    )}
    {paste.log ? <script src={paste.site.root + paste.site.scripts.log} type="module" /> : null}
    {hasLines(paste) ? <GoToLine /> : null}
  </Layout>
)

import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { CompareForm } from './diff-page.tsx'
import { LanguageField, LastChange, TimeLeft } from './fields.tsx'
import { Ages, Layout, type Shortcut } from './layout.tsx'
import { MoreRow, Part, Tool } from './more.tsx'
import { LogBar } from './paste-log.tsx'
import type { LanguageFormProps, Missing, PastePageProps, Plain, Trouble } from './paste-props.ts'

const shortcuts: readonly Shortcut[] = [
  ['c', 'Copy the text'],
  ['l', 'Copy the link, with the marked lines'],
  ['r', 'Raw text'],
  ['d', 'Download'],
  ['w', 'Wrap long lines'],
  ['g', 'Go to line'],
  ['q', 'QR code'],
  ['e', 'Edit as a new paste'],
]
const logShortcuts: readonly Shortcut[] = [
  ['n', 'Next error'],
  ['N', 'Previous error'],
]
const followShortcut: Shortcut = ['f', 'Follow changes: show new versions as they are saved']

/** Leaves out the shortcuts of missing buttons. */
const shortcutsOf = (paste: PastePageProps) => {
  const missing = [canCopy(paste) ? '' : 'c', canWrap(paste) ? '' : 'w', hasLines(paste) ? '' : 'g'].join('')
  const [view] = paste.views ?? []
  const all = shortcuts.filter(
    ([key]) => !missing.includes(key) && (paste.readsLeft === undefined || 'cw'.includes(key)),
  )
  return [
    ...all,
    ...(view ? [['p', `${viewNames[view.view]} or source`] as const] : []),
    ...(paste.log?.first === undefined ? [] : logShortcuts),
    ...(paste.changedAt === undefined || paste.readsLeft !== undefined ? [] : [followShortcut]),
  ]
}

/** The view that the address of the paste itself shows, on its page. */
const firstViewOf = ({ view, views = [] }: PastePageProps) =>
  views.some(({ query, isShown }) => query === '' && isShown) ? view : undefined

/** Texts to read, and texts whose lines are rows. */
const proses = ['text', 'markdown', 'mdc', 'mdx']
const rows = ['csv', 'tsv', 'diff', 'log', 'ansi']

/** How lines wrap until the reader decides: texts to read do everywhere, rows nowhere, and code where a window is narrow. */
const wrapOf = ({ view, languageId, log }: PastePageProps) => {
  if (view === 'preview' || view === 'table' || log || rows.includes(languageId)) return ''
  return proses.includes(languageId) ? ' wraps' : ' wraps-narrow'
}

/** The style sheets of what not every text has. */
const stylesOf = ({ site, view, languageId, filter, isTerminal, missing, views = [] }: PastePageProps) => {
  // A view that came late is there the next time a reader follows.
  const shown = missing === 'view' ? views[0]?.view : view
  if (shown === 'preview' || shown === 'table') return [site.viewStyles[shown]]
  return [
    ...(languageId === 'diff' ? [site.diffStyle] : []),
    ...(filter || isTerminal ? [site.logStyle] : []),
  ]
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
    firstView={firstViewOf(paste)}
    style={stylesOf(paste)}
    shortcuts={shortcutsOf(paste)}
    bar={barOf(paste)}
    isWide
  >
    <section
      class="made"
      aria-label="Created"
      data-script={paste.site.root + paste.site.scripts.made}
      data-style={paste.site.root + paste.site.madeStyle}
      hidden
    />
    <Notices {...paste} />
    <PasteFacts {...paste} />
    <Ages site={paste.site} />
    <LogBar {...paste} />
    <section
      class={`code${wrapOf(paste)}${paste.view === undefined ? '' : ` view-${paste.view}`}`}
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
    {hasLines(paste) && paste.readsLeft === undefined ? <GoToLine /> : null}
  </Layout>
)

const Copy = ({ filter }: Pick<PastePageProps, 'filter'>) => (
  <Tool
    id="copy"
    icon="copy"
    word="Copy"
    shortcut="c"
    {...(filter?.kept !== undefined && { title: 'Copy the lines shown' })}
  />
)

const Wrap = () => <Tool id="wrap" icon="wrap" word="Wrap" shortcut="w" title="Wrap long lines" isSwitch />

/** Of a cut text, it would copy a part. A view copies the raw text, which is gone if the paste burns after reading. */
const canCopy = ({ cut, view, readsLeft }: PastePageProps) =>
  view === undefined ? !cut : readsLeft === undefined

/** False for views without long lines. */
const canWrap = ({ view }: PastePageProps) => view === undefined || view === 'formatted'

/** False for a preview, which has no lines to go to. */
const hasLines = ({ view }: Pick<PastePageProps, 'view'>) => view !== 'preview'

/** Address of the raw text. */
const rawOf = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => `${site.root}p/raw/${name}`

const editOf = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => `${site.root}?edit=${name}`

/** Leads the maker to what the last change changed. */
const versionsOf = (paste: PastePageProps) => `${editOf(paste)}#versions`

/** What can be done with marked lines. A script shows it. What burns has no address for long. */
const Marked = (paste: PastePageProps) =>
  hasLines(paste) ? (
    <div
      id="marked"
      data-language={paste.languageId}
      data-script={paste.site.root + paste.site.scripts.marked}
      data-style={paste.site.root + paste.site.markedStyle}
      hidden
    >
      <details class="menu" name="menu">
        <summary class="tool" />
        <div class="popup">
          <MoreRow id="copy-lines" icon="copy" word="Copy as text" />
          {paste.readsLeft === undefined ? (
            <>
              <MoreRow id="copy-lines-link" icon="link" word="Copy as a link" />
              <MoreRow id="copy-quote" icon="quote" word="Copy as a quote" />
            </>
          ) : null}
        </div>
      </details>
      <button class="tool" id="unmark" type="button" title="Unmark (Esc)" aria-label="Unmark the lines">
        ×
      </button>
    </div>
  ) : null

/** The rest of the tools is in More; a phone has room for four. */
const Tools = (paste: PastePageProps) => (
  <>
    {canCopy(paste) ? <Copy {...paste} /> : null}
    <Tool id="copy-link" icon="link" word="Copy link" shortcut="l" />
    <Tool id="share" icon="share" word="Share" on="narrow" />
    <Tool id="raw" href={rawOf(paste)} icon="raw" word="Raw" shortcut="r" on="wide" />
    {canWrap(paste) ? <Wrap /> : null}
    <Tool
      id="edit"
      href={editOf(paste)}
      icon="edit"
      word="Edit"
      on="wide"
      isOwn
      own={`${paste.site.root}pastes/${paste.name}`}
    />
    <Marked {...paste} />
  </>
)

/** Only what needs no further request: raw, download and another language would each be a read, and the paste may be gone. */
const LimitedTools = (paste: PastePageProps) => (
  <>
    {canCopy(paste) ? <Copy {...paste} /> : null}
    {canWrap(paste) ? <Wrap /> : null}
    <Marked {...paste} />
  </>
)

/** The browser loads the QR code when it is unfolded. A script shows the whole address. */
const QrCode = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <Part id="qr" icon="qr" word="QR code" shortcut="q">
    <img
      src={`${site.root}qr/p/${name}`}
      alt="QR code of the address of this paste"
      width="184"
      height="184"
      loading="lazy"
    />
    <p class="address" data-js safe>{`/p/${name}`}</p>
  </Part>
)

/** Without a script, the address is sent and leads to the comparison. */
const Compare = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <Part id="compare" icon="compare" word="Compare with…">
    <CompareForm site={site} name={name} />
  </Part>
)

const Versions = (paste: PastePageProps) =>
  paste.versions > 1 ? (
    <MoreRow href={versionsOf(paste)} icon="history" word="Versions" now={String(paste.versions)} isOwn />
  ) : null

const Rows = (paste: PastePageProps) => (
  <div class="mine">
    <MoreRow href={editOf(paste)} icon="edit" word="Edit" on="narrow" isOwn />
    <MoreRow id="copy-link-row" icon="link" word="Copy link" shortcut="l" on="narrow" />
    <MoreRow
      id="download"
      href={rawOf(paste)}
      download={paste.fileName}
      icon="download"
      word="Download"
      shortcut="d"
    />
    <MoreRow href={rawOf(paste)} icon="raw" word="Raw text" shortcut="r" on="narrow" />
    {hasLines(paste) ? <MoreRow id="go" icon="lines" word="Go to line…" shortcut="g" /> : null}
    <Part id="language" icon="language" word="Language" now={paste.language}>
      <LanguageForm {...paste} />
    </Part>
    <Compare {...paste} />
    <QrCode {...paste} />
    <Versions {...paste} />
    <MoreRow
      id="duplicate"
      href={`${paste.site.root}?from=${paste.name}`}
      icon="duplicate"
      word="Edit as a new paste"
      shortcut="e"
    />
    {paste.changedAt === undefined ? null : (
      <MoreRow id="follow" icon="follow" word="Follow changes" shortcut="f" isSwitch />
    )}
  </div>
)

/** The whole title, which wraps; what can be done with the text; and More. */
const barOf = (paste: PastePageProps) => ({
  label: 'This paste',
  title: <h1 {...(paste.titleIs && { class: paste.titleIs })}>{paste.titleHtml as 'safe'}</h1>,
  ...(paste.readsLeft === undefined
    ? { tools: <Tools {...paste} />, rows: <Rows {...paste} /> }
    : { tools: <LimitedTools {...paste} /> }),
})

/**
 * Shows a paste in another language, chosen or typed. The page has the common ones, scripts load the rest; without a script
 * any name can be typed.
 */
const LanguageForm = ({ site, languages, languageId }: LanguageFormProps) => (
  <>
    <form class="language-form">
      <LanguageField
        site={site}
        name="lang"
        label="View as"
        value={languageId}
        languages={languages}
        isShort
        isSubmitting
      />
      <button class="button small" type="submit" data-nojs>
        Apply
      </button>
    </form>
    <form class="language-form" data-nojs>
      <label class="field">
        Another language
        <input name="lang" type="text" autocapitalize="none" spellcheck="false" placeholder="rust" required />
      </label>
      <button class="button small" type="submit">
        Apply
      </button>
    </form>
  </>
)

const viewNames = { text: 'Source', preview: 'Preview', table: 'Table', formatted: 'Formatted' }

/** A view and the text it was made from, as two links; the key follows the one that is not shown. */
const ViewSwitch = ({ site, name, views = [] }: PastePageProps) => (
  <nav class="views" aria-label="Show as">
    {views.map(({ view, query, isShown }) => (
      <a
        id={`view-${view}`}
        href={query === '' ? `${site.root}p/${name}` : Html.escapeHtml(query)}
        {...(isShown
          ? { 'aria-current': 'page' }
          : { title: `${viewNames[view]} (p)`, 'aria-keyshortcuts': 'p' })}
        safe
      >
        {viewNames[view]}
      </a>
    ))}
  </nav>
)

/** Only the maker sees how many versions there are, as a link to what the last change changed. */
const Changed = (paste: PastePageProps) => (
  <li>
    <LastChange {...paste} />
    {paste.versions > 1 && paste.readsLeft === undefined ? (
      <span class="of-key own">
        {' · '}
        <a href={versionsOf(paste)} title="Compare the newest two" safe>{`${paste.versions} versions`}</a>
      </span>
    ) : null}
  </li>
)

const Facts = (paste: PastePageProps) => (
  <ul class="facts" aria-label="Facts">
    <li safe>{paste.language}</li>
    <li safe>{paste.lines}</li>
    <li safe>{paste.size}</li>
    {paste.times === undefined ? null : (
      <li id="times" title="From the first time in the log to the last one" safe>
        {paste.times}
      </li>
    )}
    <Changed {...paste} />
    {paste.expiresAt === undefined ? null : (
      <li>
        <TimeLeft {...paste} />
      </li>
    )}
    {paste.readsLeft ? (
      <li safe>{paste.readsLeft === 1 ? '1 read left' : `${countText(paste.readsLeft)} reads left`}</li>
    ) : null}
    {paste.changedAt === undefined ? null : (
      <li id="following" hidden>
        Following
      </li>
    )}
    {paste.readsLeft === undefined ? <li class="address printed" safe>{`/p/${paste.name}`}</li> : null}
  </ul>
)

const Description = ({ description, descriptionHtml, isFolded }: PastePageProps) => {
  if (description === '') return null
  if (!isFolded) return <p class="description">{descriptionHtml as 'safe'}</p>
  return (
    <details class="description">
      <summary>Description</summary>
      <p>{descriptionHtml as 'safe'}</p>
    </details>
  )
}

/** Facts about the text in one line, and its description. */
const PasteFacts = (paste: PastePageProps) => (
  <div class="about">
    {paste.views?.length ? <ViewSwitch {...paste} /> : null}
    <Facts {...paste} />
    <Description {...paste} />
  </div>
)

const ReadsLeft = ({ count, isOnly }: { count: number; isOnly: boolean }) => (
  <p class="notice">
    {count === 0 ? (
      <>
        <strong>{isOnly ? 'This was the only read.' : 'This was the last read.'}</strong> The paste is
        deleted, and this page is the last copy. Copy what you need before you close it.
      </>
    ) : (
      <>
        This read was counted. <strong safe>{count === 1 ? '1 read' : `${countText(count)} reads`}</strong>{' '}
        {count === 1 ? 'is' : 'are'} left. Reloading this page uses another.
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

const plainWords: Readonly<Record<Missing, { lacks: string } & Record<Plain, string>>> = {
  colours: {
    lacks: 'Shown without colours:',
    late: 'highlighting took too long.',
    failed: 'highlighting took too long, or failed.',
    large: 'the text is too large to be highlighted.',
  },
  view: {
    lacks: 'Shown as plain text:',
    late: 'the view took too long.',
    failed: 'the view took too long, or failed.',
    large: 'the text is too large for this view.',
  },
}

// biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself, with its query
const Again = () => <a href="">Try again</a>

/** The link reloads the page, so it works without a script. A text that is too large stays plain. */
const PlainNotice = ({ why, missing, canRetry }: { why: Plain; missing: Missing; canRetry: boolean }) => (
  <p class="notice" id="plain">
    <strong safe>{plainWords[missing].lacks}</strong> {plainWords[missing][why] as 'safe'}{' '}
    {canRetry ? <Again /> : null}
    {why === 'failed' && canRetry ? ' in a minute.' : null}
  </p>
)

type TroubleProps = Trouble & { id: string; title: string }

/** Why a view shows something as it is, with a link to its line. */
const ShownAsItIs = ({ id, title, why, line }: TroubleProps) => (
  <p class="notice" id={id}>
    <strong safe>{title}</strong> <span safe>{why}</span>{' '}
    {line === undefined ? null : <a href={`#L${line}`}>Go to line {countText(line) as 'safe'}</a>}
  </p>
)

const UnknownLanguage = ({ nearest }: { nearest: string }) => (
  <p class="notice" id="unknown-language">
    <strong>The language in the address is not known.</strong> Did you mean{' '}
    <a href={`?lang=${encodeURIComponent(nearest)}`} safe>
      {nearest}
    </a>
    ?
  </p>
)

const ignoredWords = {
  view: 'There is no such view of this text, so the page shows the text as it is.',
  level: 'Lines of this text have no such level, so none are left out.',
  grep: 'The word to find is too long, so no line is left out.',
}

const IgnoredNotice = ({ ignored }: { ignored: keyof typeof ignoredWords }) => (
  <p class="notice" id="ignored">
    {ignoredWords[ignored] as 'safe'}
  </p>
)

/** Notices above the text; most pastes have none. */
const Notices = (paste: PastePageProps) => {
  const { readsLeft, cut, plain, missing = 'colours', nearestLanguage, ignored, refused, problem } = paste
  // Reloading the page of a burn-after-reading paste would be another read.
  const canReload = readsLeft === undefined
  return (
    <div id="notices">
      {readsLeft === undefined ? null : <ReadsLeft count={readsLeft} isOnly={paste.maxReads === 1} />}
      {cut ? <Cut cut={cut} raw={rawOf(paste)} /> : null}
      {plain ? <PlainNotice why={plain} missing={missing} canRetry={canReload && plain !== 'large'} /> : null}
      {refused ? <ShownAsItIs id="refused" title="Shown as plain text." {...refused} /> : null}
      {problem ? <ShownAsItIs id="problem" title="Some lines are shown as they are." {...problem} /> : null}
      {nearestLanguage === undefined ? null : <UnknownLanguage nearest={nearestLanguage} />}
      {ignored === undefined ? null : <IgnoredNotice ignored={ignored} />}
    </div>
  )
}

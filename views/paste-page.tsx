import { Html, type PropsWithChildren } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { CompareForm } from './diff-page.tsx'
import { Expiry, LanguageField, LastChange } from './fields.tsx'
import { Icon, type IconName } from './icons.tsx'
import { Ages, Layout, type Shortcut } from './layout.tsx'
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
  const [view] = paste.views ?? []
  const all = shortcuts.filter(
    ([key]) => !missing.includes(key) && (paste.readsLeft === undefined || 'cwg'.includes(key)),
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
const stylesOf = ({ site, view, languageId, filter, missing, views = [] }: PastePageProps) => {
  // A view that came late is there the next time a reader follows.
  const shown = missing === 'view' ? views[0]?.view : view
  if (shown === 'preview' || shown === 'table') return [site.viewStyles[shown]]
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
    firstView={firstViewOf(paste)}
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
    {hasLines(paste) ? <GoToLine /> : null}
  </Layout>
)

type FaceProps = { icon: IconName; word: string; shortcut?: string; title?: string }

/** Hidden from screen readers: the name of the button is its word, even when that is invisible. */
const Key = ({ children }: PropsWithChildren) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing here takes the focus
  <kbd aria-hidden="true">{children as 'safe'}</kbd>
)

/** An icon; in a wide bar also the word and the shortcut. */
const Face = ({ icon, word, shortcut }: FaceProps) => (
  <>
    <Icon name={icon} />
    <span class="word">{word as 'safe'}</span>
    {shortcut === undefined ? null : <Key>{shortcut as 'safe'}</Key>}
  </>
)

const hintOf = ({ word, shortcut, title = word }: FaceProps) =>
  shortcut === undefined ? title : `${title} (${shortcut})`

/** A button that needs a script. */
const Button = ({ id, isSwitch, ...face }: FaceProps & { id: string; isSwitch?: boolean }) => (
  <button
    class="tool"
    id={id}
    type="button"
    title={hintOf(face)}
    aria-keyshortcuts={face.shortcut}
    data-js
    {...(isSwitch && { 'aria-pressed': 'false' })}
  >
    <Face {...face} />
  </button>
)

type LinkProps = FaceProps & { id: string; href: string; download?: string }

const Link = ({ id, href, download, ...face }: LinkProps) => (
  <a
    class="tool"
    id={id}
    href={href}
    title={hintOf(face)}
    aria-keyshortcuts={face.shortcut}
    {...(download !== undefined && { download: Html.escapeHtml(download) })}
  >
    <Face {...face} />
  </a>
)

const Copy = ({ filter }: Pick<PastePageProps, 'filter'>) => (
  <Button
    id="copy"
    icon="copy"
    word="Copy"
    shortcut="c"
    {...(filter?.kept !== undefined && { title: 'Copy the lines shown' })}
  />
)
const Wrap = () => <Button id="wrap" icon="wrap" word="Wrap" shortcut="w" isSwitch />

/** Of a cut text, it would copy a part. A view copies the raw text, which is gone if the paste burns after reading. */
export const canCopy = ({ cut, view, readsLeft }: PastePageProps) =>
  view === undefined ? !cut : readsLeft === undefined

/** False for views without long lines. */
export const canWrap = ({ view }: PastePageProps) => view === undefined || view === 'formatted'

/** A button that opens a popup. */
const Menu = ({ id, children, ...face }: PropsWithChildren<FaceProps & { id: string }>) => (
  <details class="menu" name="menu" id={id}>
    <summary class="tool" title={hintOf(face)} aria-keyshortcuts={face.shortcut}>
      <Face {...face} />
    </summary>
    <div class="popup">{children as 'safe'}</div>
  </details>
)

const LanguageMenu = (paste: PastePageProps) => (
  <Menu id="language" icon="language" word="Language">
    <LanguageForm {...paste} />
  </Menu>
)

/** The browser loads the QR code when the menu opens. */
const QrMenu = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <Menu id="qr" icon="qr" word="QR" shortcut="q" title="QR code">
    <img
      src={`${site.root}qr/p/${name}`}
      alt="QR code of the address of this paste"
      width="232"
      height="232"
      loading="lazy"
    />
  </Menu>
)

/** Without a script, the address is sent and leads to the comparison. */
const CompareMenu = (paste: PastePageProps) => (
  <Menu id="compare" icon="compare" word="Compare" title="Compare with…">
    <CompareForm site={paste.site} name={paste.name} />
  </Menu>
)

/** Address of the raw text. */
export const rawOf = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => `${site.root}p/raw/${name}`

/** Invisible until a script has asked whether the kept key made the paste, but takes its place, so nothing shifts. */
const Edit = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <a
    class="tool of-key"
    id="edit"
    href={`${site.root}?edit=${name}`}
    title="Edit"
    data-own={`${site.root}pastes/${name}`}
  >
    <Face icon="edit" word="Edit" />
  </a>
)

const AllActions = (paste: PastePageProps) => (
  <>
    <Edit {...paste} />
    {canCopy(paste) ? <Copy {...paste} /> : null}
    <Button id="copy-link" icon="link" word="Copy link" shortcut="l" />
    <Link id="raw" href={rawOf(paste)} icon="raw" word="Raw" shortcut="r" />
    <Link
      id="download"
      href={rawOf(paste)}
      download={paste.fileName}
      icon="download"
      word="Download"
      shortcut="d"
    />
    {canWrap(paste) ? <Wrap /> : null}
    <LanguageMenu {...paste} />
    <CompareMenu {...paste} />
    <QrMenu {...paste} />
    <Link
      id="duplicate"
      href={`${paste.site.root}?from=${paste.name}`}
      icon="duplicate"
      word="Duplicate"
      shortcut="e"
    />
  </>
)

/** Only what needs no further request: raw, download and another language would each be a read, and the paste may be gone. */
const LimitedActions = (paste: PastePageProps) => (
  <>
    {canCopy(paste) ? <Copy {...paste} /> : null}
    {canWrap(paste) ? <Wrap /> : null}
  </>
)

/** The bar of a paste: its title, cut off if it is too long, and all actions. */
export const PasteBar = (paste: PastePageProps) => (
  <>
    <h1 title={Html.escapeHtml(paste.title)}>{paste.titleHtml as 'safe'}</h1>
    <nav class="actions" aria-label="This paste">
      {paste.readsLeft === undefined ? <AllActions {...paste} /> : <LimitedActions {...paste} />}
    </nav>
  </>
)

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

/** False for a preview, which has no lines to go to. */
export const hasLines = ({ view }: Pick<PastePageProps, 'view'>) => view !== 'preview'

/** With a script, the number of lines is the button of "Go to line". */
const LineCount = (paste: PastePageProps) => (
  <>
    {hasLines(paste) ? (
      <button
        class="fact-button"
        id="go"
        type="button"
        title="Go to line (g)"
        aria-keyshortcuts="g"
        data-js
        safe
      >
        {paste.lines}
      </button>
    ) : null}
    <span data-nojs={hasLines(paste)} safe>
      {paste.lines}
    </span>
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

const Facts = (paste: PastePageProps) => (
  <ul class="facts" aria-label="Facts">
    <li safe>{paste.language}</li>
    <li>
      <LineCount {...paste} />
    </li>
    <li safe>{paste.size}</li>
    {paste.times === undefined ? null : (
      <li id="times" title="From the first time in the log to the last one" safe>
        {paste.times}
      </li>
    )}
    <li>
      <LastChange {...paste} />
    </li>
    {paste.changedAt === undefined ? null : (
      <li data-js>
        <button
          class="fact-button"
          id="follow"
          type="button"
          title="Show the newest version as it comes (f)"
          aria-keyshortcuts="f"
          aria-pressed="false"
        >
          Follow
        </button>
      </li>
    )}
    {paste.expiresAt === undefined ? null : (
      <li>
        <Expiry {...paste} />
      </li>
    )}
    {paste.readsLeft === undefined ? null : (
      <li safe>{paste.readsLeft === 1 ? '1 read left' : `${countText(paste.readsLeft)} reads left`}</li>
    )}
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
export const PasteFacts = (paste: PastePageProps) => (
  <div class="about">
    {paste.views?.length ? <ViewSwitch {...paste} /> : null}
    <Facts {...paste} />
    <Description {...paste} />
  </div>
)

const ReadsLeft = ({ count }: { count: number }) => (
  <p class="notice">
    {count === 0 ? (
      <>
        <strong>This was the last read.</strong> The paste is deleted, and this page is all that is left of
        it. Copy what you need before you close it.
      </>
    ) : (
      <>
        This read was counted. <strong safe>{count === 1 ? '1 read' : `${countText(count)} reads`}</strong>{' '}
        {count === 1 ? 'is' : 'are'} left. Reloading this page takes another one.
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
export const Notices = (paste: PastePageProps) => {
  const { readsLeft, cut, plain, missing = 'colours', nearestLanguage, ignored, refused, problem } = paste
  // Reloading the page of a burn-after-reading paste would be another read.
  const canReload = readsLeft === undefined
  return (
    <div id="notices">
      {readsLeft === undefined ? null : <ReadsLeft count={readsLeft} />}
      {cut ? <Cut cut={cut} raw={rawOf(paste)} /> : null}
      {plain ? <PlainNotice why={plain} missing={missing} canRetry={canReload && plain !== 'large'} /> : null}
      {refused ? <ShownAsItIs id="refused" title="Shown as plain text." {...refused} /> : null}
      {problem ? <ShownAsItIs id="problem" title="Some lines are shown as they are." {...problem} /> : null}
      {nearestLanguage === undefined ? null : <UnknownLanguage nearest={nearestLanguage} />}
      {ignored === undefined ? null : <IgnoredNotice ignored={ignored} />}
    </div>
  )
}

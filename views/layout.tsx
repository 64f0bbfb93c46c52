import { Html, type PropsWithChildren } from '@elysiajs/html'
import { Icon, type IconName } from './icons.tsx'
import { More } from './more.tsx'

/** A line below every page: text with at most one link in it. */
export type Footer = { before: string; link?: { address: string; words: string }; after: string }

/** The name of the site, its footer, and paths for the links of a page. */
export type Site = {
  name: string
  footer?: Footer | undefined
  /** Path to the root (`../`, `./`), relative, so pages work under any sub-path. */
  root: string
  /** Paths relative to the root. */
  styles: readonly string[]
  /** Style sheet of the pages that create and change. */
  formStyle: string
  /** Style sheet of the description of the API. */
  docsStyle: string
  /** Style sheet of the owner's page. */
  adminStyle: string
  /** Style sheet of the page that changes an item. */
  editStyle: string
  /** Style sheet for texts that are compared. */
  diffStyle: string
  /** Style sheets of the views of a paste that do not show lines. */
  viewStyles: Readonly<Record<'preview' | 'table', string>>
  /** Style sheet of My items, loaded when it is opened. */
  itemsStyle: string
  /** Style sheet of logs, and of pages with only some lines of a text. */
  logStyle: string
  /** Style sheet of what can be done with marked lines, loaded with its script. */
  markedStyle: string
  madeStyle: string
  /** Style sheet of the list of what was masked, loaded with its script. */
  maskingStyle: string
  icon: string
  /** All languages with their words, as JSON. */
  languages: string
  scripts: Readonly<Record<ScriptName, string>>
}
/**
 * `early` runs before the first paint, `ages` on pages with times, `picker` on pages with a language field. `every` runs on
 * all pages once parsed, followed by the page's own script; `view` before the first paint of a text that opens as its view,
 * `made` on the page of a paste that this tab has just made, `follow` on a paste that was changed, `log` on a log, `marked` when
 * lines are marked, `items` when My items is opened, `masking` and its worker `masker`
 * when there is a text to look at.
 */
export type ScriptName =
  | 'early'
  | 'ages'
  | 'picker'
  | 'every'
  | 'paste'
  | 'made'
  | 'view'
  | 'follow'
  | 'log'
  | 'marked'
  | 'home'
  | 'items'
  | 'masking'
  | 'masker'
  | 'edit'
  | 'docs'
  | 'admin'

/** The parts of the start page: each has its own address, and a script turns them into tabs. */
export type Tab = 'paste' | 'link' | 'items'

/** An entry of the navigation. */
export type Place = Tab | 'docs'

/** The bar of a page that is about one thing: its title, what can be done with it, and the rows of its More. */
export type Bar = { title: JSX.Element; label: string; tools?: JSX.Element; rows?: JSX.Element }

export type LayoutProps = {
  /** Before the name of the site. */
  title: string
  /** The preview of the page in chats. */
  card?: { title: string; description: string }
  site: Site
  script?: ScriptName
  /** The view as which its text opens. */
  firstView?: string | undefined
  /** Style sheets of its own. */
  style?: string | readonly string[]
  shortcuts?: readonly Shortcut[]
  /** Its entry in the navigation. */
  place?: Place
  /** The part that a page with several shows. */
  tab?: Tab
  /** What a page that is about one thing has in its bar. */
  bar?: Bar
  /** True if the page uses the whole window. */
  isWide?: boolean
  /** True if a proxy says who the reader is, so lists and changes need no key. */
  isUser?: boolean
}

const places: readonly { place: Place; path: string; icon: IconName; word: string }[] = [
  { place: 'paste', path: '', icon: 'new', word: 'New paste' },
  { place: 'link', path: '?link', icon: 'link', word: 'Short link' },
  { place: 'items', path: '?items', icon: 'items', word: 'My items' },
  { place: 'docs', path: 'docs', icon: 'api', word: 'API' },
]

type NavigationProps = { site: Site; current: Place | undefined; shortcuts: readonly Shortcut[] }

/** Where a page has another use for its key, "New paste" has none. */
const newPasteKey = (shortcuts: readonly Shortcut[]) =>
  shortcuts.some(([key]) => key === 'n') ? {} : { 'aria-keyshortcuts': 'n' }

const Navigation = ({ site, current, shortcuts }: NavigationProps) => (
  <nav class="places" aria-label="Site">
    {places.map(({ place, path, icon, word }) => (
      <a
        class={`tool place-${place}`}
        href={site.root + path}
        title={word}
        {...(place === 'paste' && newPasteKey(shortcuts))}
        {...(place === current && { 'aria-current': 'page' })}
      >
        <Icon name={icon} />
        <span class="word">{word as 'safe'}</span>
      </a>
    ))}
  </nav>
)

type FullBarProps = Bar & { root: string; shortcuts: readonly Shortcut[] }

/** The title has the room; on a phone the tools are at the bottom of the window. */
const FullBar = ({ title, label, tools, rows, root, shortcuts }: FullBarProps) => (
  <>
    {title as 'safe'}
    <section class="actions" aria-label={label}>
      {tools as 'safe'}
      <More root={root} newPaste={newPasteKey(shortcuts)}>
        {rows as 'safe'}
      </More>
    </section>
  </>
)

/** Buttons that need a script. */
const Switches = () => (
  <>
    <button class="tool" id="theme" type="button" aria-label="Theme" aria-keyshortcuts="t" data-js>
      <Icon name="auto" class="auto" />
      <Icon name="light" class="light" />
      <Icon name="dark" class="dark" />
    </button>
    <button
      class="tool"
      id="help"
      type="button"
      aria-label="Keyboard shortcuts"
      title="Shortcuts (?)"
      aria-keyshortcuts="?"
      data-js
    >
      <Icon name="help" />
    </button>
  </>
)

/** Comes right after the last `<time>` of a page, so ages are there at the first paint. */
export const Ages = ({ site }: { site: Site }) => <script src={site.root + site.scripts.ages} />

const Head = ({ title, card, site, script, firstView, style = [] }: LayoutProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex, nofollow" />
    <title safe>{`${title} · ${site.name}`}</title>
    {card === undefined ? null : (
      <>
        <meta property="og:title" content={Html.escapeHtml(card.title)} />
        <meta property="og:description" content={Html.escapeHtml(card.description)} />
      </>
    )}
    {[...site.styles, ...[style].flat()].map((href) => (
      <link rel="stylesheet" href={site.root + href} />
    ))}
    <link rel="icon" href={site.root + site.icon} type="image/svg+xml" />
    <script src={site.root + site.scripts.early} />
    {firstView === undefined ? null : <script src={site.root + site.scripts.view} data-view={firstView} />}
    <script src={site.root + site.scripts.every} type="module" />
    {script === undefined ? null : <script src={site.root + site.scripts[script]} type="module" />}
  </head>
)

const SiteFooter = ({ before, link, after }: Footer) => (
  <footer class="own-footer">
    {Html.escapeHtml(before) as 'safe'}
    {link === undefined ? null : (
      <a href={Html.escapeHtml(link.address)} rel="noreferrer" safe>
        {link.words}
      </a>
    )}
    {Html.escapeHtml(after) as 'safe'}
  </footer>
)

/** The frame of every page. It has no inline scripts, styles or style attributes, because the CSP forbids them. */
export const Layout = ({ children, ...props }: PropsWithChildren<LayoutProps>) => {
  const { site, shortcuts = [], tab, place = tab, bar, isWide, isUser } = props
  return (
    <>
      {'<!doctype html>'}
      <html lang="en" {...(isUser && { class: 'has-user' })} {...(tab && { 'data-tab': tab })}>
        <Head {...props} />
        <body>
          <header class={bar ? 'bar full' : 'bar'}>
            <a class="brand" href={site.root} aria-label={Html.escapeHtml(site.name)}>
              <img src={site.root + site.icon} alt="" width="24" height="24" />
              <span class="word" safe>
                {site.name}
              </span>
            </a>
            {bar ? (
              <FullBar {...bar} root={site.root} shortcuts={shortcuts} />
            ) : (
              <>
                <Navigation site={site} current={place} shortcuts={shortcuts} />
                <Switches />
              </>
            )}
          </header>
          <main {...(isWide && { class: 'wide' })}>{children as 'safe'}</main>
          {site.footer === undefined ? null : <SiteFooter {...site.footer} />}
          <p id="status" role="status" />
          <Shortcuts shortcuts={bar ? [...shortcuts, ['m', 'More']] : shortcuts} />
        </body>
      </html>
    </>
  )
}

/** A key, and its action. @param of a class that hides it where it does nothing */
export type Shortcut = readonly [key: string, action: string, of?: string]

const everyPage: readonly Shortcut[] = [
  ['n', 'New paste'],
  ['t', 'Theme: auto, light, dark'],
  ['?', 'Show or hide this list'],
]

/** The shortcuts of a page, which win over those of every page; `?` shows them. */
export const Shortcuts = ({ shortcuts }: { shortcuts: readonly Shortcut[] }) => (
  <dialog id="shortcuts" aria-labelledby="shortcuts-title">
    <h2 id="shortcuts-title">Keyboard shortcuts</h2>
    <dl>
      {[...shortcuts, ...everyPage.filter(([key]) => !shortcuts.some(([own]) => own === key))].map(
        ([key, action, of]) => (
          <div class={of}>
            <dt>
              <kbd safe>{key}</kbd>
            </dt>
            <dd safe>{action}</dd>
          </div>
        ),
      )}
    </dl>
    <form method="dialog">
      <button class="button" type="submit">
        Close
      </button>
    </form>
  </dialog>
)

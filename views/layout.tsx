import { Html, type PropsWithChildren } from '@elysiajs/html'

/** What every page needs to find the rest of the site. */
export type Site = {
  /** How far up the root is (`../`, `./`): relative, so that pages work under any sub-path. */
  root: string
  /** Paths below the root. */
  styles: readonly string[]
  icon: string
  scripts: Readonly<Record<ScriptName, string>>
}
/** `theme` runs on every page before it is painted, one of the others after it was read. */
export type ScriptName = 'theme' | 'plain' | 'paste' | 'home'

/** A key and what it does. */
export type Shortcut = readonly [key: string, action: string]

export type LayoutProps = {
  title: string
  /** What chats show of a link to the page. */
  card?: { title: string; description: string }
  site: Site
  script?: ScriptName
  shortcuts?: readonly Shortcut[]
}

const everyPage: readonly Shortcut[] = [
  ['t', 'Theme: auto, light, dark'],
  ['?', 'Show or hide this list'],
]

const Shortcuts = ({ shortcuts }: { shortcuts: readonly Shortcut[] }) => (
  <dialog id="shortcuts" aria-labelledby="shortcuts-title">
    <h2 id="shortcuts-title">Keyboard shortcuts</h2>
    <dl>
      {[...shortcuts, ...everyPage].map(([key, action]) => (
        <div>
          <dt>
            <kbd safe>{key}</kbd>
          </dt>
          <dd safe>{action}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button class="button" type="submit">
        Close
      </button>
    </form>
  </dialog>
)

/** The frame of every page. No inline script, style or style attribute: the CSP allows none. */
export const Layout = (props: PropsWithChildren<LayoutProps>) => {
  const { title, card, site, script = 'plain', shortcuts = [], children } = props
  return (
    <>
      {'<!doctype html>'}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex, nofollow" />
          <title safe>{title}</title>
          {card === undefined ? null : (
            <>
              <meta property="og:title" content={Html.escapeHtml(card.title)} />
              <meta property="og:description" content={Html.escapeHtml(card.description)} />
            </>
          )}
          {site.styles.map((href) => (
            <link rel="stylesheet" href={site.root + href} />
          ))}
          <link rel="icon" href={site.root + site.icon} type="image/svg+xml" />
          <script src={site.root + site.scripts.theme} />
          <script src={site.root + site.scripts[script]} type="module" />
        </head>
        <body>
          <header class="bar">
            <a class="brand" href={site.root}>
              Shortcrust
            </a>
            <button class="button quiet-button" id="theme" type="button" data-js hidden>
              Theme
            </button>
            <button
              class="button quiet-button"
              id="help"
              type="button"
              data-js
              hidden
              aria-label="Keyboard shortcuts"
            >
              ?
            </button>
          </header>
          <main>{children as 'safe'}</main>
          <p id="status" role="status" />
          <Shortcuts shortcuts={shortcuts} />
        </body>
      </html>
    </>
  )
}

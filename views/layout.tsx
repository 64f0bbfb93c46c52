import { Html, type PropsWithChildren } from '@elysiajs/html'

/** What every page needs to find the rest of the site. */
export type Site = {
  /** How far up the root is (`../`, `./`): relative, so that pages work under any sub-path. */
  root: string
  /** Paths below the root. */
  styles: readonly string[]
  icon: string
}

/** The frame of every page. No inline script, style or style attribute: the CSP allows none. */
export const Layout = ({ title, site, children }: PropsWithChildren<{ title: string; site: Site }>) => (
  <>
    {'<!doctype html>'}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title safe>{title}</title>
        {site.styles.map((href) => (
          <link rel="stylesheet" href={site.root + href} />
        ))}
        <link rel="icon" href={site.root + site.icon} type="image/svg+xml" />
      </head>
      <body>
        <header class="bar">
          <a class="brand" href={site.root}>
            Shortcrust
          </a>
        </header>
        <main>{children as 'safe'}</main>
      </body>
    </html>
  </>
)

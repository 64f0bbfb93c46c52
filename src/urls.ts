/** Builds every absolute address that stands in an answer. */
export type Addresses = {
  /** Where the API is served, without trailing slash. */
  baseUrl: string
  /** Where pages are served, without trailing slash. */
  publicUrl: string
  paste: (name: string) => string
  rawPaste: (name: string) => string
  link: (name: string) => string
  pasteDeletion: (deletionKey: string) => string
  linkDeletion: (deletionKey: string) => string
  /** True for an address that is one of this service's own short links: it would loop. */
  isOwnLink: (url: URL) => boolean
}

/**
 * @param publicUrl where pages are served, without trailing slash
 * @param baseUrl where the API is served, without trailing slash
 * @param requestUrl the address the request itself came to
 */
export const createAddresses = (publicUrl: string, baseUrl: string, requestUrl: string): Addresses => ({
  baseUrl,
  publicUrl,
  paste: (name) => `${publicUrl}/p/${name}`,
  rawPaste: (name) => `${publicUrl}/p/raw/${name}`,
  link: (name) => `${publicUrl}/s/${name}`,
  pasteDeletion: (deletionKey) => `${baseUrl}/paste/delete?key=${deletionKey}`,
  linkDeletion: (deletionKey) => `${baseUrl}/shortener/delete?key=${deletionKey}`,
  isOwnLink: (url) =>
    [...new Set([publicUrl, baseUrl, requestUrl])].some((own) => {
      const { host, pathname } = new URL(own)
      return url.host === host && url.pathname.startsWith(`${pathname.replace(/\/$/, '')}/s/`)
    }),
})

/** What stands for an item in its addresses: its alias where it has one. */
export const nameOf = ({ id, alias }: { id: string; alias?: string }) => alias ?? id

/** `../` as often as a page at this path needs it to reach the root, so that pages work under any sub-path. */
export const relativeRoot = (pathname: string) => '../'.repeat(pathname.split('/').length - 2) || './'

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

/** A host as it is compared: `nas.` is `nas`, written out to the root of the DNS. */
const hostOf = ({ hostname, port }: URL) => `${hostname.replace(/\.$/, '')}:${port}`

const prefixOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '')

/** The rest of a path that begins with this prefix. */
const below = (prefix: string, pathname: string) =>
  pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined

/** A proxy may take a prefix off, and then we do: each is taken off as often as it stands there. */
const withoutPrefixes = (pathname: string, prefixes: readonly string[]): string => {
  const prefix = prefixes.find((one) => one !== '' && pathname.startsWith(`${one}/`))
  return prefix === undefined ? pathname : withoutPrefixes(pathname.slice(prefix.length), prefixes)
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
  isOwnLink: (url) => {
    const own = [publicUrl, baseUrl, requestUrl].map((address) => new URL(address))
    const prefixes = own.map(prefixOf)
    return own.some((one) => {
      const rest = hostOf(one) === hostOf(url) ? below(prefixOf(one), url.pathname) : undefined
      return rest !== undefined && withoutPrefixes(rest, prefixes).startsWith('/s/')
    })
  },
})

/** `../` as often as a page at this path needs it to reach the root, so that pages work under any sub-path. */
export const relativeRoot = (pathname: string) => '../'.repeat(pathname.split('/').length - 2) || './'

/** Builds every absolute address in answers. */
export type Addresses = {
  /** Address of the API, without trailing slash. */
  baseUrl: string
  /** Address of the pages, without trailing slash. */
  publicUrl: string
  paste: (name: string) => string
  rawPaste: (name: string) => string
  link: (name: string) => string
  comparison: (name: string, other: string) => string
  pasteDeletion: (deletionKey: string) => string
  linkDeletion: (deletionKey: string) => string
  /** True for a short link of this service: a link to it would be a loop. */
  isOwnLink: (url: URL) => boolean
}

/** A host for comparing: `nas.`, the absolute form in the DNS, equals `nas`. */
const hostOf = ({ hostname, port }: URL) => `${hostname.replace(/\.$/, '')}:${port}`

const prefixOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '')

/** The path below this prefix, if it is there. */
const below = (prefix: string, pathname: string) =>
  pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined

/** Removes prefixes repeatedly, because the proxy may remove one before we do. */
const withoutPrefixes = (pathname: string, prefixes: readonly string[]): string => {
  const prefix = prefixes.find((one) => one !== '' && pathname.startsWith(`${one}/`))
  return prefix === undefined ? pathname : withoutPrefixes(pathname.slice(prefix.length), prefixes)
}

/**
 * @param publicUrl address of the pages, without trailing slash
 * @param baseUrl address of the API, without trailing slash
 * @param requestUrl address that the request was sent to
 */
export const createAddresses = (publicUrl: string, baseUrl: string, requestUrl: string): Addresses => ({
  baseUrl,
  publicUrl,
  paste: (name) => `${publicUrl}/p/${name}`,
  rawPaste: (name) => `${publicUrl}/p/raw/${name}`,
  link: (name) => `${publicUrl}/s/${name}`,
  comparison: (name, other) => `${publicUrl}/diff/${name}/${other}`,
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

/** The relative path from a page to the root, such as `../`, so pages work under any sub-path. */
export const relativeRoot = (pathname: string) => '../'.repeat(pathname.split('/').length - 2) || './'

import { Html } from '@elysiajs/html'
import type { Site } from './layout.tsx'
import { Ages } from './layout.tsx'

type AddressProps = { name: string; label: string; address?: string | undefined }

const Address = ({ name, label, address = '' }: AddressProps) => (
  <div class={`address ${name}`}>
    <dt safe>{label}</dt>
    <dd>
      <a href={Html.escapeHtml(address)} safe>
        {address}
      </a>
      <button class="button small" type="button" data-copy={Html.escapeHtml(address)} data-js>
        Copy
      </button>
    </dd>
  </div>
)

export type ResultProps = {
  site: Site
  kind: 'paste' | 'link'
  /** The title of a paste, or the target of a link. */
  name: string
  url: string
  /** Unset for a burn-after-reading paste. */
  rawUrl?: string | undefined
  deletionUrl?: string | undefined
  /** Path of the QR code, relative to the page. */
  qr: string
  expiresAt?: string | undefined
  expiresAtText?: string | undefined
  /** How often it may be used, in words. */
  uses?: string | undefined
  /** The language that was detected, in words. */
  found?: string | undefined
}

const titles = { paste: 'Paste created', link: 'Short link created' }

const Frame = ({ result }: { result: ResultProps | undefined }) => (
  <>
    <h2 tabindex="-1">
      <span class="what">{result ? titles[result.kind] : ''}</span>
      {': '}
      <span class="name" safe>
        {result?.name ?? ''}
      </span>
    </h2>
    <div class="addresses">
      <dl>
        <Address name="url" label="Address to share" address={result?.url} />
        {result && result.rawUrl === undefined ? null : (
          <Address name="raw" label="Raw text" address={result?.rawUrl} />
        )}
        <Address name="deletion" label="Deletion link (keep it private)" address={result?.deletionUrl} />
      </dl>
      <img
        class="qr"
        {...(result && { src: result.qr })}
        alt="QR code of the address to share"
        width="128"
        height="128"
      />
    </div>
    <p class="quiet limits">
      {result?.expiresAt === undefined && result ? null : (
        <span class="expiry">
          Expires{' '}
          <time datetime={result?.expiresAt ?? ''} safe>
            {result?.expiresAtText ?? ''}
          </time>
        </span>
      )}
      <span class="uses" safe>
        {result?.uses ?? ''}
      </span>
      <span class="found" safe>
        {result?.found ?? ''}
      </span>
    </p>
    {result ? null : (
      <p class="keep-offer" hidden>
        Keep this key in this browser?{' '}
        <button class="button small" type="button">
          Keep
        </button>
      </p>
    )}
  </>
)

/** The result of a creation: all its addresses, its expiry, and a QR code. */
export const Result = (result: ResultProps) => (
  <>
    <Frame result={result} />
    <Ages site={result.site} />
  </>
)

/** An empty result for scripts to fill in. */
export const ResultTemplate = () => (
  <template id="result-template">
    <Frame result={undefined} />
  </template>
)

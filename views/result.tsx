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
  /** What people know it by: a title, or the address that a link leads to. */
  name: string
  url: string
  /** Only of what can be read more than once. */
  rawUrl?: string | undefined
  deletionUrl: string
  /** Path of the picture, from the page. */
  qr: string
  expiresAt?: string | undefined
  expiresAtText?: string | undefined
  /** How often it can be read or followed, in words. */
  uses?: string | undefined
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
    </p>
  </>
)

/** What was created: every address of it that works, how long it lasts, and a picture of the first for a phone. */
export const Result = (result: ResultProps) => (
  <>
    <Frame result={result} />
    <Ages site={result.site} />
  </>
)

/** The same, empty, for the script that fills it in. */
export const ResultTemplate = () => (
  <template id="result-template">
    <Frame result={undefined} />
  </template>
)

import { Html } from '@elysiajs/html'
import type { Site } from './layout.tsx'
import { Ages } from './layout.tsx'

export type ResultProps = {
  site: Site
  kind: 'paste' | 'link'
  /** The title of a paste, or the target of a link. */
  name: string
  url: string
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

/** With a script the address is copied already; without one, its field has the focus. */
const Address = ({ url = '', isFocused }: { url?: string | undefined; isFocused: boolean }) => (
  <div class="row">
    <input
      class="created-address"
      type="text"
      value={Html.escapeHtml(url)}
      aria-label="Address to share"
      readonly
      autofocus={isFocused}
    />
    <button
      class="button primary"
      type="button"
      data-copy={Html.escapeHtml(url)}
      aria-describedby="created-title"
      data-js
    >
      Copy link
    </button>
    <a class="button" href={Html.escapeHtml(url)}>
      Open
    </a>
  </div>
)

/** The deletion address, behind one click. */
const Deletion = ({ deletionUrl = '' }: { deletionUrl?: string | undefined }) => (
  <details class="deletion">
    <summary class="quiet">Delete…</summary>
    <p>Anyone with the deletion link can delete it for everybody. You can copy the link only now.</p>
    <p class="row">
      <a class="button danger" href={Html.escapeHtml(deletionUrl)}>
        Delete it
      </a>
      <button class="button" type="button" data-copy={Html.escapeHtml(deletionUrl)} data-js>
        Copy deletion link
      </button>
    </p>
  </details>
)

const Frame = ({ result }: { result: ResultProps | undefined }) => (
  <>
    <h2 id="created-title">
      <span class="what">{result ? titles[result.kind] : ''}</span>
      {': '}
      <span class="name" safe>
        {result?.name ?? ''}
      </span>
    </h2>
    <Address url={result?.url} isFocused={result !== undefined} />
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
    <div class="created-more">
      <details>
        <summary class="quiet">QR code</summary>
        <img
          class="qr"
          {...(result && { src: result.qr })}
          alt="QR code of the address to share"
          width="184"
          height="184"
        />
      </details>
      <Deletion deletionUrl={result?.deletionUrl} />
    </div>
    {result ? null : <KeepOffer />}
  </>
)

const KeepOffer = () => (
  <p class="keep-offer" hidden>
    Keep this key in this browser?{' '}
    <button class="button small" type="button">
      Keep
    </button>
  </p>
)

/** The result of a creation: its address, how to take it back, its expiry, and a QR code. */
export const Result = (result: ResultProps) => (
  <>
    <Frame result={result} />
    <Ages site={result.site} />
  </>
)

/** An empty result for scripts to fill in: of a short link, and of a paste that nobody may look at. */
export const ResultTemplate = () => (
  <template id="result-template">
    <Frame result={undefined} />
  </template>
)

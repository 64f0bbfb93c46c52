import { Html } from '@elysiajs/html'

type AddressProps = { name: string; label: string; address?: string | undefined }

const Address = ({ name, label, address = '' }: AddressProps) => (
  <div class={`address ${name}`}>
    <dt safe>{label}</dt>
    <dd>
      <a href={Html.escapeHtml(address)} safe>
        {address}
      </a>
      <button class="button" type="button" data-copy={Html.escapeHtml(address)} data-js>
        Copy
      </button>
    </dd>
  </div>
)

export type ResultProps = {
  url: string
  rawUrl?: string
  deletionUrl: string
  /** Path of the picture, from the page. */
  qr: string
}

/** Every address of what was created, and a picture of the first for a phone. */
export const Result = ({ url, rawUrl, deletionUrl, qr }: ResultProps) => (
  <>
    <h2 tabindex="-1">It is stored</h2>
    <div class="created">
      <dl>
        <Address name="url" label="Address to share" address={url} />
        {rawUrl === undefined ? null : <Address name="raw" label="Raw text" address={rawUrl} />}
        <Address name="deletion" label="Deletes it: keep this to yourself" address={deletionUrl} />
      </dl>
      <img class="qr" src={qr} alt="QR code of the address to share" width="160" height="160" />
    </div>
  </>
)

/** The same, empty, for the script that fills it in. */
export const ResultTemplate = () => (
  <template id="result-template">
    <h2 tabindex="-1">It is stored</h2>
    <div class="created">
      <dl>
        <Address name="url" label="Address to share" />
        <Address name="raw" label="Raw text" />
        <Address name="deletion" label="Deletes it: keep this to yourself" />
      </dl>
      <img class="qr" alt="QR code of the address to share" width="160" height="160" />
    </div>
  </template>
)

import { Html, type PropsWithChildren } from '@elysiajs/html'

/** What is wrong, where the user looks; empty until something is. */
export const Notice = ({ message = '' }: { message?: string | undefined }) => (
  <p class="error" role="alert" hidden={message === ''} safe>
    {message}
  </p>
)

/** Without `autocomplete="off"`: with it a browser that goes back has forgotten what was typed. */
export const TextField = ({
  name,
  label,
  value = '',
  ...input
}: {
  name: string
  label: string
  value?: string | undefined
} & JSX.HtmlInputTag) => (
  <label class="field">
    <span safe>{label}</span>
    <input name={name} value={Html.escapeHtml(value)} {...input} />
  </label>
)

/** The key is never written into a page; the browser keeps it where the user says so. */
export const KeyField = ({ id }: { id: string }) => (
  <div class="field">
    <label class="field">
      API key
      <input name="key" type="password" autocomplete="off" spellcheck="false" required />
    </label>
    <label class="keep-label" for={id} data-js>
      <input class="keep" id={id} type="checkbox" /> Keep the key in this browser
    </label>
  </div>
)

/** A lifetime that can be chosen; `value` is empty for what happens without a choice. */
export type Lifetime = { value: string; label: string }

const LifetimeField = ({
  lifetimes,
  value = '',
}: {
  lifetimes: readonly Lifetime[]
  value?: string | undefined
}) => (
  <label class="field">
    Expires after
    <select name="expiresIn">
      {lifetimes.map((lifetime) => (
        <option value={lifetime.value} selected={lifetime.value === value} safe>
          {lifetime.label}
        </option>
      ))}
    </select>
  </label>
)

/** What may be chosen for any item; open where something was chosen. */
export const ItemOptions = ({
  lifetimes,
  expiresIn,
  alias,
  limit,
}: {
  lifetimes: readonly Lifetime[]
  expiresIn: string | undefined
  alias: string | undefined
  /** How often the item may be read or followed. */
  limit: { name: 'maxReads' | 'maxVisits'; label: string; value: string | undefined }
}) => (
  <details class="options" open={Boolean(expiresIn || limit.value || alias)}>
    <summary>Options</summary>
    <TextField
      name="alias"
      label="Name in the address"
      value={alias}
      type="text"
      autocapitalize="none"
      spellcheck="false"
      placeholder="a-z 0-9 - _"
    />
    <LifetimeField lifetimes={lifetimes} value={expiresIn} />
    <TextField {...limit} type="number" inputmode="numeric" min="1" max="1000000" placeholder="no limit" />
  </details>
)

export const Submit = ({ name, children }: PropsWithChildren<{ name: string }>) => (
  <button class="button primary" type="submit" name="create" value={name}>
    {children as 'safe'}
  </button>
)

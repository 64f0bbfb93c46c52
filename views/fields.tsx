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
}: {
  name: string
  label: string
  value?: string | undefined
}) => (
  <label class="field">
    <span safe>{label}</span>
    <input name={name} value={Html.escapeHtml(value)} />
  </label>
)

/** The key is never written into a page; the browser keeps it where the user says so. */
export const KeyField = ({ id }: { id: string }) => (
  <div class="field">
    <label class="field">
      API key
      <input name="key" type="password" autocomplete="off" spellcheck="false" required />
    </label>
    <label class="keep-label" for={id} data-js hidden>
      <input class="keep" id={id} type="checkbox" /> Keep the key in this browser
    </label>
  </div>
)

/** A lifetime that can be chosen; `value` is empty for what happens without a choice. */
export type Lifetime = { value: string; label: string }

/** What most people leave as it is. */
export const Options = ({ isOpen, children }: PropsWithChildren<{ isOpen: boolean }>) => (
  <details class="options" open={isOpen}>
    <summary>Options</summary>
    {children as 'safe'}
  </details>
)

export const LifetimeField = ({
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

/** The name that an address has in place of the id. */
export const AliasField = ({ value = '' }: { value?: string | undefined }) => (
  <label class="field">
    Name in the address
    <input
      name="alias"
      type="text"
      autocapitalize="none"
      spellcheck="false"
      placeholder="a-z 0-9 - _"
      value={Html.escapeHtml(value)}
    />
  </label>
)

/** How often an item may be read or followed. */
export const LimitField = ({
  name,
  label,
  value = '',
}: {
  name: string
  label: string
  value?: string | undefined
}) => (
  <label class="field">
    <span safe>{label}</span>
    <input
      name={name}
      type="number"
      inputmode="numeric"
      min="1"
      max="1000000"
      placeholder="no limit"
      value={Html.escapeHtml(value)}
    />
  </label>
)

export const Submit = ({ name, children }: PropsWithChildren<{ name: string }>) => (
  <button class="button primary" type="submit" name="create" value={name}>
    {children as 'safe'}
  </button>
)

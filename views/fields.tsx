import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Site } from './layout.tsx'

/** An error in a form, shown at its field; without one, at the button. */
export type Problem = { field: string | undefined; message: string }

type FieldProps = {
  name: string
  label: string
  value?: string | undefined
  problem?: Problem | undefined
  hint?: string
}

const idOf = (name: string) => `field-${name}`

/** Attributes of an input with an error. The first wrong field gets the focus, even without a script. */
export const described = (name: string, problem: Problem | undefined) => ({
  id: idOf(name),
  name,
  'aria-describedby': `error-${name}`,
  ...(problem?.field === name && { 'aria-invalid': 'true', autofocus: true }),
})

/** The error of a field, right below it. */
export const FieldError = ({ name, problem }: { name: string; problem: Problem | undefined }) => {
  const message = problem?.field === name ? problem.message : ''
  return (
    <p class="field-error" id={`error-${name}`} safe>
      {message}
    </p>
  )
}

/** A label, the control below it, and its error. */
export const Field = ({
  name,
  label,
  problem,
  hint,
  children,
}: PropsWithChildren<Pick<FieldProps, 'name' | 'label' | 'problem' | 'hint'>>) => (
  <div class="field">
    <label for={idOf(name)} safe>
      {label}
    </label>
    {children as 'safe'}
    <FieldError name={name} problem={problem} />
    {hint === undefined ? null : (
      <p class="hint" safe>
        {hint}
      </p>
    )}
  </div>
)

/** Without `autocomplete="off"`, which would make a browser forget the typed text after going back. */
export const TextField = ({
  name,
  label,
  value = '',
  problem,
  hint,
  ...input
}: FieldProps & Omit<JSX.HtmlInputTag, 'name' | 'value'>) => (
  <Field name={name} label={label} problem={problem} {...(hint !== undefined && { hint })}>
    <input {...described(name, problem)} value={Html.escapeHtml(value)} {...input} />
  </Field>
)

/** A lifetime to choose; `value` is empty for the default of never. */
export type Lifetime = { value: string; label: string }

export const LifetimeField = ({
  name,
  label,
  lifetimes,
  value = lifetimes[0]?.value,
  problem,
}: FieldProps & { lifetimes: readonly Lifetime[] }) => (
  <Field name={name} label={label} problem={problem}>
    <select {...described(name, problem)}>
      {lifetimes.map((lifetime) => (
        <option value={lifetime.value} selected={lifetime.value === value} safe>
          {lifetime.label}
        </option>
      ))}
    </select>
  </Field>
)

/** The button, always visible, and above it an error that is about no field. */
export const Send = ({
  kind,
  problem,
  children,
}: PropsWithChildren<{ kind: 'paste' | 'link'; problem: Problem | undefined }>) => {
  const message = problem?.field === undefined ? problem?.message : undefined
  return (
    <div class="send">
      <p class="error" role="alert" hidden={message === undefined} safe>
        {message ?? ''}
      </p>
      <button
        class="button primary"
        type="submit"
        name="create"
        value={kind}
        autofocus={message !== undefined}
      >
        {children as 'safe'}
      </button>
    </div>
  )
}

export type LanguageFieldProps = {
  site: Site
  name: string
  label: string
  /** Id of the chosen language; empty if none is. */
  value?: string | undefined
  /** Meaning of an empty field; unset if a language is always chosen. */
  placeholder?: string
  /** The languages, with their other words separated by spaces. */
  languages: readonly { id: string; name: string; spellings: string }[]
  /** True if `languages` are only some; a script loads all when the field gets the focus. */
  isShort?: boolean
  problem?: Problem | undefined
  /** True if choosing a language sends the form. */
  isSubmitting?: boolean
}

const Options = ({ value, placeholder, languages }: LanguageFieldProps) => (
  <>
    {placeholder === undefined ? null : (
      <option value="" safe>
        {placeholder}
      </option>
    )}
    {languages.map(({ id, name, spellings }) => (
      <option
        value={Html.escapeHtml(id)}
        selected={id === value}
        {...(spellings && { 'data-words': Html.escapeHtml(spellings) })}
        safe
      >
        {name}
      </option>
    ))}
  </>
)

/**
 * A `<select>`, which a script replaces by a text field. Both are there from the start, so the page does not shift; the
 * select keeps the value.
 */
export const LanguageField = (props: LanguageFieldProps) => {
  const { site, name, label, placeholder, languages, value, isShort, isSubmitting, problem } = props
  const chosen = languages.find(({ id }) => id === value)
  return (
    <div class="field picker">
      <label for={`field-${name}`} safe>
        {label}
      </label>
      <select
        {...described(name, problem)}
        data-nojs
        {...(isShort && { 'data-list': site.root + site.languages })}
        {...(isSubmitting && { 'data-submits': '' })}
      >
        <Options {...props} />
      </select>
      <input
        type="text"
        role="combobox"
        aria-expanded="false"
        aria-autocomplete="list"
        aria-controls={`list-${name}`}
        aria-describedby={`error-${name}`}
        autocomplete="off"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        enterkeyhint="done"
        placeholder={placeholder ?? 'Search'}
        value={Html.escapeHtml(chosen?.name ?? '')}
        data-js
      />
      <div
        class="picker-list"
        id={`list-${name}`}
        role="listbox"
        aria-label={Html.escapeHtml(label)}
        popover="manual"
        hidden
      />
      <FieldError name={name} problem={problem} />
      <script src={site.root + site.scripts.picker} type="module" />
    </div>
  )
}

/** When an item was created, and last changed if it was, for machines and for people. */
export type Dated = { createdAt: string; createdAtText: string; changedAt?: string; changedAtText?: string }

/** The last change, or the creation of what was never changed. @param created the word before the time of a creation */
export const LastChange = ({ created = '', ...item }: Dated & { created?: string }) => (
  <>
    {item.changedAt === undefined ? created : 'Changed '}
    <time datetime={item.changedAt ?? item.createdAt} safe>
      {item.changedAtText ?? item.createdAtText}
    </time>
  </>
)

/** When an item expires, for machines and for people; both unset if it never does. */
export type Expiring = { expiresAt?: string; expiresAtText?: string }

/** `Expires 12 Jan 2027, 10:00 UTC`; a script shows `in 3 days` instead. */
export const Expiry = ({ expiresAt = '', expiresAtText = '' }: Expiring) => (
  <>
    Expires{' '}
    <time datetime={expiresAt} safe>
      {expiresAtText}
    </time>
  </>
)

/** The same until a script has run, which shows `6 days left`. */
export const TimeLeft = ({ expiresAt = '', expiresAtText = '' }: Expiring) => (
  <>
    <span data-nojs>Expires </span>
    <time class="left" datetime={expiresAt} safe>
      {expiresAtText}
    </time>
  </>
)

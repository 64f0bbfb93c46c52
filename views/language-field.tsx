import { Html } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import type { Site } from './layout.tsx'

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

import { Html } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import type { Site } from './layout.tsx'

export type LanguageFieldProps = {
  site: Site
  name: string
  label: string
  /** Id of the chosen language; empty for none. */
  value?: string | undefined
  /** What an empty field means; without it one language is always chosen. */
  placeholder?: string
  /** Each with its other words, a space between two. */
  languages: readonly { id: string; name: string; spellings: string }[]
  /** True where `languages` are only some: a script loads all of them when somebody looks. */
  isShort?: boolean
  problem?: Problem | undefined
  /** True for a form that is sent when a language is chosen. */
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
 * A plain `<select>`, which scripts turn into a field to type in. Both are there from the start, so that nothing moves;
 * the select holds the value.
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

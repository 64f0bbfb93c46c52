import { Html } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import type { Typed } from './form-props.ts'

const sorts = [
  ['', 'Newest'],
  ['changed', 'Changed last'],
  ['size', 'Largest'],
  ['expires', 'Expires next'],
  ['uses', 'Most read or visited'],
] as const

/** The orders of a list. @param chosen the one that is selected */
export const SortOptions = ({ chosen = '' }: { chosen?: string | undefined }) => (
  <>
    {sorts.map(([sort, words]) => (
      <option value={sort} selected={sort !== '' && sort === chosen}>
        {words as 'safe'}
      </option>
    ))}
  </>
)

/** What to find and in which order, for browsers without JavaScript. */
export const FindingFields = ({ typed, problem }: { typed: Typed; problem?: Problem | undefined }) => (
  <div class="row">
    <div class="field">
      <label for="field-q">Search</label>
      <input
        {...described('q', problem)}
        type="search"
        value={Html.escapeHtml(typed.q ?? '')}
        spellcheck="false"
      />
      <FieldError name="q" problem={problem} />
    </div>
    <label class="field">
      Sort by
      <select name="sort">
        <SortOptions chosen={typed.sort} />
      </select>
    </label>
  </div>
)

import type { FieldControl } from '../src/items/texts.ts'
import type { Lifetime, Problem } from './fields.tsx'
import type { LanguageFieldProps } from './language-field.tsx'
import type { Site } from './layout.tsx'

/** What somebody typed, to be shown again beside what was wrong with it. Never the API key. */
export type Typed = Readonly<Partial<Record<string, string>>>

/** What the form of one kind is built from. */
export type FormProps = {
  site: Site
  languages: LanguageFieldProps['languages']
  lifetimes: readonly Lifetime[]
  /** Largest text of a paste, bytes of UTF-8. */
  maxBytes: number
  controls: readonly FieldControl[]
  typed: Typed
  problem: Problem | undefined
}

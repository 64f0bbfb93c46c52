import { Html } from '@elysiajs/html'
import { LanguageField, type LanguageFieldProps } from './language-field.tsx'

export type LanguageFormProps = Pick<LanguageFieldProps, 'site' | 'languages'> & {
  /** Id of the shown language. */
  languageId: string
}

/**
 * Shows a paste in another language, chosen or typed. The page has the common ones, scripts load the rest; without a script
 * any name can be typed.
 */
export const LanguageForm = ({ site, languages, languageId }: LanguageFormProps) => (
  <>
    <form class="language-form">
      <LanguageField
        site={site}
        name="lang"
        label="View as"
        value={languageId}
        languages={languages}
        isShort
        isSubmitting
      />
      <button class="button small" type="submit" data-nojs>
        Apply
      </button>
    </form>
    <form class="language-form" data-nojs>
      <label class="field">
        Another language
        <input name="lang" type="text" autocapitalize="none" spellcheck="false" placeholder="rust" required />
      </label>
      <button class="button small" type="submit">
        Apply
      </button>
    </form>
  </>
)

import { Html } from '@elysiajs/html'
import type { Site } from './layout.tsx'

export type CompareFormProps = {
  site: Site
  /** The name of the paste on the older side. */
  name: string
  /** What was typed before. */
  typed?: string
  /** What is wrong with it. */
  problem?: string | undefined
}

/** Asks for another paste. It works without a script: the server finds the paste and sends the browser on. */
export const CompareForm = ({ site, name, typed = '', problem }: CompareFormProps) => (
  <form class="compare-form" action={`${site.root}diff/${name}`}>
    <div class="field">
      <label for="compare-with">Compare with</label>
      <input
        id="compare-with"
        name="with"
        type="text"
        value={Html.escapeHtml(typed)}
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        placeholder="Address, id or name"
        required
        {...(problem !== undefined && { 'aria-invalid': 'true', 'aria-describedby': 'compare-problem' })}
      />
      {problem === undefined ? null : (
        <p class="field-error" id="compare-problem" safe>
          {problem}
        </p>
      )}
    </div>
    <button class="button small" type="submit">
      Compare
    </button>
  </form>
)

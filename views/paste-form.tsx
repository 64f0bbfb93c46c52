import { Html } from '@elysiajs/html'
import { described, FieldError, LifetimeField, NameField, Send, TextField, UsesField } from './fields.tsx'
import type { FormProps } from './home-page.tsx'
import { Icon } from './icons.tsx'
import { LanguageField } from './language-field.tsx'

const keys = 'Tab indents. Press Esc, then Tab, to leave the text. Ctrl+Enter creates the paste.'

const Text = ({ typed, problem, maxBytes }: FormProps) => (
  <div class="text">
    <label class="offscreen" for="field-text">
      Text
    </label>
    <FieldError name="text" problem={problem} />
    <textarea
      {...described('text', problem)}
      aria-describedby="error-text text-keys"
      spellcheck="false"
      autocapitalize="none"
      placeholder="Paste, type or drop a file here"
      data-max-bytes={maxBytes}
    >
      {'\n'}
      {Html.escapeHtml(typed.text ?? '') as 'safe'}
    </textarea>
    <p class="hint text-keys" id="text-keys" data-js>
      <label class="file">
        <Icon name="file" /> Choose a file
        <input id="file" type="file" />
      </label>
      <span>{keys as 'safe'}</span>
    </p>
  </div>
)

const More = ({ typed, problem }: FormProps) => (
  <details
    class="options"
    open={Boolean(typed.alias || typed.description || (typed.maxReads && !typed.burn))}
  >
    <summary>More options</summary>
    <NameField name="alias" value={typed.alias} problem={problem} />
    <TextField name="description" label="Description" value={typed.description} problem={problem} />
    <UsesField name="maxReads" label="Delete after reads" value={typed.maxReads} problem={problem} />
  </details>
)

/** The text, which fills the window, and what is said about it. */
export const PasteForm = (props: FormProps) => {
  const { site, typed, problem, languages, lifetimes } = props
  return (
    <section class="paste-form" id="paste-form" aria-labelledby="paste-title">
      <h1 class="offscreen" id="paste-title">
        New paste
      </h1>
      <Text {...props} />
      <div class="panel">
        <TextField name="title" label="Title" value={typed.title} problem={problem} placeholder="untitled" />
        <LanguageField
          site={site}
          name="language"
          label="Language"
          value={typed.language}
          placeholder="Detect"
          languages={languages}
          problem={problem}
        />
        <LifetimeField name="expiresIn" lifetimes={lifetimes} value={typed.expiresIn} problem={problem} />
        <label class="check">
          <input name="burn" type="checkbox" value="1" checked={typed.burn !== undefined} /> Burn after
          reading
        </label>
        <More {...props} />
      </div>
      <Send kind="paste" problem={problem}>
        Create paste
      </Send>
    </section>
  )
}

import { Html, type PropsWithChildren } from '@elysiajs/html'
import { FieldInput, MoreOptions, split } from './field-control.tsx'
import { described, FieldError, Send } from './fields.tsx'
import type { FormProps } from './form-props.ts'
import { Icon } from './icons.tsx'
import { Masking } from './masking.tsx'

type TextProps = Pick<FormProps, 'site' | 'typed' | 'problem' | 'maxBytes'> & {
  /** What Ctrl+Enter does. */
  sends: string
}

/** The text of a paste. @param children what stands below it, before the keys */
export const Text = ({ site, typed, problem, maxBytes, sends, children }: PropsWithChildren<TextProps>) => (
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
      placeholder="Paste or type your text here"
      data-max-bytes={maxBytes}
    >
      {'\n'}
      {Html.escapeHtml(typed.text ?? '') as 'safe'}
    </textarea>
    <Masking site={site} />
    <p class="hint text-keys" id="text-keys" data-js>
      {children as 'safe'}
      <span>
        Tab indents. Press Esc, then Tab, to leave the text. Ctrl+Enter <span safe>{sends}</span>.
      </span>
    </p>
  </div>
)

/** The text, as large as the window, and the fields for it. */
export const PasteForm = (props: FormProps) => {
  const { typed, problem } = props
  const { options, others } = split(props.controls)
  // With "burn", the number of reads is not a choice of its own.
  const isOpen = options.some(({ name, as }) => typed[name] && !(as === 'uses' && typed.burn))
  return (
    <section class="paste-form" id="paste-form" aria-labelledby="paste-title">
      <h1 class="offscreen" id="paste-title">
        New paste
      </h1>
      <Text {...props} sends="creates the paste">
        <label class="file">
          <Icon name="file" /> Choose a file
          <input id="file" type="file" />
        </label>
      </Text>
      <div class="panel">
        {others.map((control) => (
          <FieldInput {...props} control={control} />
        ))}
        <label class="check">
          <input name="burn" type="checkbox" value="1" checked={typed.burn !== undefined} /> Burn after
          reading
        </label>
        <MoreOptions {...props} controls={options} isOpen={isOpen} />
      </div>
      <Send kind="paste" problem={problem}>
        Create paste
      </Send>
    </section>
  )
}

/** The address to shorten. Its controls have their own names, because one form contains both kinds. */
export const LinkForm = (props: FormProps) => {
  const { typed, problem } = props
  const { options, others } = split(props.controls)
  return (
    <section class="link-form" id="link-form" aria-labelledby="link-title">
      <h1 id="link-title">Short link</h1>
      {others.slice(0, 1).map((control) => (
        <FieldInput {...props} control={control} />
      ))}
      <div class="columns">
        {others.slice(1).map((control) => (
          <FieldInput {...props} control={control} />
        ))}
      </div>
      <MoreOptions {...props} controls={options} isOpen={options.some(({ name }) => typed[name])} />
      <Send kind="link" problem={problem}>
        Shorten
      </Send>
    </section>
  )
}

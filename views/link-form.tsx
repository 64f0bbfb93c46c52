import { Html } from '@elysiajs/html'
import { LifetimeField, NameField, Send, TextField, UsesField } from './fields.tsx'
import type { FormProps } from './home-page.tsx'

/** The address to shorten. Its fields have names of their own, for one form holds both kinds. */
export const LinkForm = ({ typed, problem, lifetimes }: FormProps) => (
  <section class="link-form" id="link-form" aria-labelledby="link-title">
    <h1 id="link-title">Short link</h1>
    <TextField
      name="url"
      label="Address"
      type="text"
      inputmode="url"
      autocapitalize="none"
      spellcheck="false"
      placeholder="https://example.org/a/long/address"
      value={typed.url}
      problem={problem}
    />
    <div class="columns">
      <NameField name="linkAlias" value={typed.linkAlias} problem={problem} />
      <LifetimeField
        name="linkExpiresIn"
        lifetimes={lifetimes}
        value={typed.linkExpiresIn}
        problem={problem}
      />
    </div>
    <details class="options" open={Boolean(typed.maxVisits)}>
      <summary>More options</summary>
      <UsesField name="maxVisits" label="Delete after visits" value={typed.maxVisits} problem={problem} />
    </details>
    <Send kind="link" problem={problem}>
      Shorten
    </Send>
  </section>
)

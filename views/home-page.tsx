import { Html } from '@elysiajs/html'
import type { Lifetime, Problem } from './fields.tsx'
import { KeyField } from './key-field.tsx'
import type { LanguageFieldProps } from './language-field.tsx'
import { Layout, type Site } from './layout.tsx'
import { LinkForm } from './link-form.tsx'
import { MyItems } from './my-items.tsx'
import { PasteForm } from './paste-form.tsx'
import { Result, type ResultProps, ResultTemplate } from './result.tsx'

export type FieldName =
  | 'text'
  | 'title'
  | 'description'
  | 'language'
  | 'expiresIn'
  | 'burn'
  | 'maxReads'
  | 'alias'
  | 'url'
  | 'linkExpiresIn'
  | 'maxVisits'
  | 'linkAlias'

/** What somebody typed, to be shown again beside what was wrong with it. Never the API key. */
export type Typed = Readonly<Partial<Record<FieldName, string>>>

export type HomePageProps = {
  site: Site
  languages: LanguageFieldProps['languages']
  lifetimes: readonly Lifetime[]
  /** Largest text of a paste, bytes of UTF-8. */
  maxBytes: number
  /** What stands in the fields. */
  typed?: Typed
  /** What was wrong with one of the forms. */
  failure?: { form: 'paste' | 'link'; problem: Problem }
  result?: ResultProps
}

export type FormProps = Pick<HomePageProps, 'site' | 'languages' | 'lifetimes' | 'maxBytes'> & {
  typed: Typed
  problem: Problem | undefined
}

/** Enter in a field presses the first button of a form: this one lets the server see which part was filled in. */
const FirstButton = () => (
  <button class="offscreen" type="submit" name="create" value="" tabindex="-1" data-nojs>
    Create what is filled in
  </button>
)

/** A list by a script shows more of it. The tab of short links shows its class: a box around it keeps it hidden there. */
const ItemsWithoutScript = () => (
  <div data-nojs>
    <section class="link-form" aria-labelledby="items-title">
      <h2 id="items-title">My items</h2>
      <p class="hint">What the API key above created, newest first.</p>
      <p>
        <button class="button" type="submit" name="create" value="items">
          List my items
        </button>
      </p>
    </section>
  </div>
)

/** The page that creates: pastes, short links, and a list of both. A script makes tabs of them. */
export const HomePage = (props: HomePageProps) => {
  const { site, typed = {}, failure, result } = props
  const problemOf = (form: 'paste' | 'link') => (failure?.form === form ? failure.problem : undefined)
  const own = { ...props, typed }
  return (
    <Layout title="New paste · Shortcrust" site={site} script="home" isWide>
      <div class="workspace">
        <section class="created" id="result" hidden={result === undefined} aria-label="What was created">
          {result === undefined ? null : <Result {...result} />}
        </section>
        <form class="editor" id="create" method="post" action="./" enctype="multipart/form-data">
          <FirstButton />
          <KeyField problem={failure?.problem} />
          <PasteForm {...own} problem={problemOf('paste')} />
          <LinkForm {...own} problem={problemOf('link')} />
          <ItemsWithoutScript />
        </form>
        <MyItems />
      </div>
      <p class="drop" id="drop" aria-hidden="true" hidden>
        Drop the file to fill in its text
      </p>
      <ResultTemplate />
    </Layout>
  )
}

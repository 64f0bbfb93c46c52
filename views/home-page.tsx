import { Html } from '@elysiajs/html'
import { ItemOptions, KeyField, type Lifetime, Notice, Submit, TextField } from './fields.tsx'
import { Layout, type Site } from './layout.tsx'
import { MyItems } from './my-items.tsx'
import { Result, type ResultProps, ResultTemplate } from './result.tsx'

/** What somebody typed, to be shown again beside what was wrong with it. Never the API key. */
export type Typed = Readonly<
  Partial<
    Record<
      | 'text'
      | 'title'
      | 'description'
      | 'language'
      | 'url'
      | 'expiresIn'
      | 'maxReads'
      | 'maxVisits'
      | 'alias',
      string
    >
  >
>

export type HomePageProps = {
  site: Site
  languages: readonly { id: string; name: string }[]
  lifetimes: readonly Lifetime[]
  pasteCommand: string
  /** What was wrong with one of the forms, and what was typed in it. */
  failure?: { form: 'paste' | 'link'; message: string; typed: Typed }
  result?: ResultProps
}

type FormProps = Pick<HomePageProps, 'languages' | 'lifetimes'> & {
  typed: Typed
  message: string | undefined
}

/** The key stands first, so that it is the first thing that the server sees of what is sent. */
const PasteForm = ({ languages, lifetimes, typed, message }: FormProps) => (
  <form class="card" id="paste-form" method="post" action="" enctype="multipart/form-data">
    <h2>New paste</h2>
    <Notice message={message} />
    <KeyField id="paste-keep" />
    <label class="field">
      Text
      <textarea name="text" rows="12" spellcheck="false" required>
        {'\n'}
        {Html.escapeHtml(typed.text ?? '') as 'safe'}
      </textarea>
    </label>
    <p class="hint" data-js>
      Drop a file on the text, or{' '}
      <label class="file">
        choose one
        <input id="file" type="file" />
      </label>
    </p>
    <div class="columns">
      <TextField name="title" label="Title" value={typed.title} />
      <label class="field">
        Language
        <input
          name="language"
          list="languages"
          autocapitalize="none"
          spellcheck="false"
          value={Html.escapeHtml(typed.language ?? 'text')}
          required
        />
      </label>
    </div>
    <datalist id="languages">
      {languages.map(({ id, name }) => (
        <option value={id}>{Html.escapeHtml(name) as 'safe'}</option>
      ))}
    </datalist>
    <TextField name="description" label="Description" value={typed.description} />
    <ItemOptions
      lifetimes={lifetimes}
      expiresIn={typed.expiresIn}
      alias={typed.alias}
      limit={{ name: 'maxReads', label: 'Erase it after so many reads', value: typed.maxReads }}
    />
    <Submit name="paste">Create paste</Submit>
  </form>
)

const LinkForm = ({ lifetimes, typed, message }: FormProps) => (
  <form class="card" id="link-form" method="post" action="" enctype="multipart/form-data">
    <h2>New short link</h2>
    <Notice message={message} />
    <KeyField id="link-keep" />
    <label class="field">
      Address
      <input
        name="url"
        type="text"
        inputmode="url"
        autocapitalize="none"
        spellcheck="false"
        placeholder="https://…"
        value={Html.escapeHtml(typed.url ?? '')}
        required
      />
    </label>
    <ItemOptions
      lifetimes={lifetimes}
      expiresIn={typed.expiresIn}
      alias={typed.alias}
      limit={{ name: 'maxVisits', label: 'Erase it after so many visits', value: typed.maxVisits }}
    />
    <Submit name="link">Shorten</Submit>
  </form>
)

/** What one of the forms shows: of the other one nothing was sent. */
const formProps = ({ languages, lifetimes, failure }: HomePageProps, form: 'paste' | 'link'): FormProps => {
  const { typed = {}, message = undefined } = failure?.form === form ? failure : {}
  return { languages, lifetimes, typed, message }
}

/** The page that creates, with and without JavaScript. */
export const HomePage = (props: HomePageProps) => (
  <Layout title="Shortcrust" site={props.site} script="home">
    <h1>Pastes and short links</h1>
    <p class="quiet">
      Whoever has a link can read it. Creating needs an API key from the person who runs this server.
    </p>
    <section class="card" id="result" hidden={props.result === undefined} aria-label="What was created">
      {props.result === undefined ? null : <Result {...props.result} />}
    </section>
    <div class="home">
      <PasteForm {...formProps(props, 'paste')} />
      <div class="aside">
        <LinkForm {...formProps(props, 'link')} />
        <MyItems />
        <section class="card">
          <h2>From a terminal</h2>
          <pre class="command" tabindex="0">
            <code safe>{props.pasteCommand}</code>
          </pre>
          <p class="hint">
            <a href={`${props.site.root}docs`}>Everything this server answers</a>
          </p>
        </section>
      </div>
    </div>
    <ResultTemplate />
  </Layout>
)

import { Html } from '@elysiajs/html'
import type { Problem } from './fields.tsx'
import { FindingFields } from './finding-fields.tsx'
import type { FormProps, Typed } from './form-props.ts'
import { KeyField, type Sender } from './key-field.tsx'
import { Layout, type Shortcut, type Tab } from './layout.tsx'
import { MyItems } from './my-items.tsx'
import { LinkForm, PasteForm } from './paste-form.tsx'
import { Result, type ResultProps, ResultTemplate } from './result.tsx'

export type HomePageProps = Omit<FormProps, 'controls' | 'typed' | 'problem'> & {
  tab?: Tab
  controls: Readonly<Record<'paste' | 'link', FormProps['controls']>>
  /** Values of the fields. */
  typed?: Typed
  /** The error of one of the forms. */
  failure?: { form: 'paste' | 'link'; problem: Problem }
  result?: ResultProps
  /** Who needs no key. */
  sender?: Sender | undefined
}

/** Enter in a field presses the first button of a form: this one lists, or creates what is filled in. */
const FirstButton = ({ tab }: { tab: Tab }) => (
  <button
    class="offscreen"
    type="submit"
    name="create"
    value={tab === 'items' ? tab : ''}
    tabindex="-1"
    data-nojs
  >
    {titles[tab] as 'safe'}
  </button>
)

type ItemsProps = { typed: Typed; problem: Problem | undefined; sender: Sender | undefined }

/** Hidden with JavaScript, which shows a longer list. */
const ItemsWithoutScript = ({ sender, ...props }: ItemsProps) => (
  <section class="find-form" aria-labelledby="items-title" data-nojs>
    <h1 id="items-title">My items</h1>
    <p class="hint">
      {sender?.as === 'user'
        ? 'Everything you or the API key above made.'
        : 'Everything the API key above made.'}
    </p>
    <FindingFields {...props} />
    <p>
      <button class="button primary" type="submit" name="create" value="items">
        List my items
      </button>
    </p>
  </section>
)

const shortcuts = (
  [
    ['/', 'Search my items'],
    ['↑ ↓', 'Go from row to row'],
    ['Enter', 'Open the row'],
    ['c', 'Copy the link of the row'],
  ] as const
).map(([key, action]): Shortcut => [key, action, 'items-key'])

const titles: Readonly<Record<Tab, string>> = { paste: 'New paste', link: 'Short link', items: 'My items' }

/** The start page: pastes, short links, or the list of both. A script turns them into tabs. */
export const HomePage = (props: HomePageProps) => {
  const { site, tab = 'paste', controls, typed = {}, failure, result, sender } = props
  const partOf = (form: 'paste' | 'link') => ({
    ...{ ...props, typed, controls: controls[form] },
    problem: failure?.form === form ? failure.problem : undefined,
  })
  return (
    <Layout
      title={titles[tab]}
      tab={tab}
      site={site}
      style={site.formStyle}
      script="home"
      shortcuts={shortcuts}
      isWide
      isUser={sender?.as === 'user'}
    >
      <div class="workspace">
        <section class="created" id="result" hidden={result === undefined} aria-label="What was created">
          {result === undefined ? null : <Result {...result} />}
        </section>
        <form
          class="editor"
          id="create"
          method="post"
          action="./"
          enctype="multipart/form-data"
          {...(props.typed && { 'data-filled': '' })}
        >
          <FirstButton tab={tab} />
          <KeyField problem={failure?.problem} sender={sender} />
          <PasteForm {...partOf('paste')} />
          <LinkForm {...partOf('link')} />
          <ItemsWithoutScript typed={typed} problem={failure?.problem} sender={sender} />
        </form>
        <MyItems site={site} sender={sender} />
      </div>
      <p class="drop" id="drop" aria-hidden="true" hidden>
        Drop the file to fill in its text
      </p>
      <ResultTemplate />
    </Layout>
  )
}

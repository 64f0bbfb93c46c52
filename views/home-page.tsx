import { Html } from '@elysiajs/html'
import type { Problem } from './fields.tsx'
import { FindingFields } from './finding-fields.tsx'
import type { FormProps, Typed } from './form-props.ts'
import { KeyField, type Sender } from './key-field.tsx'
import { Layout } from './layout.tsx'
import { LinkForm } from './link-form.tsx'
import { MyItems } from './my-items.tsx'
import { PasteForm } from './paste-form.tsx'
import { Result, type ResultProps, ResultTemplate } from './result.tsx'
import type { Shortcut } from './shortcuts.tsx'

export type HomePageProps = Omit<FormProps, 'controls' | 'typed' | 'problem'> & {
  controls: Readonly<Record<'paste' | 'link', FormProps['controls']>>
  /** Values of the fields. */
  typed?: Typed
  /** The error of one of the forms. */
  failure?: { form: 'paste' | 'link'; problem: Problem }
  result?: ResultProps
  /** Who needs no key. */
  sender?: Sender | undefined
}

/** Enter in a field presses the first button of a form. With this one, the server decides by which part is filled in. */
const FirstButton = () => (
  <button class="offscreen" type="submit" name="create" value="" tabindex="-1" data-nojs>
    Create what is filled in
  </button>
)

type ItemsProps = { typed: Typed; problem: Problem | undefined; sender: Sender | undefined }

/** Hidden with JavaScript, which shows a longer list. The outer `<div>` keeps it hidden, although it has the class of a tab. */
const ItemsWithoutScript = ({ sender, ...props }: ItemsProps) => (
  <div data-nojs>
    <section class="link-form" aria-labelledby="items-title">
      <h2 id="items-title">My items</h2>
      <p class="hint">
        {sender?.as === 'user'
          ? 'What you created, or the API key above.'
          : 'What the API key above created.'}
      </p>
      <FindingFields {...props} />
      <p>
        <button class="button" type="submit" name="create" value="items">
          List my items
        </button>
      </p>
    </section>
  </div>
)

const shortcuts: readonly Shortcut[] = [['/', 'Search my items']]

/** The start page: pastes, short links, and the list of both. A script turns them into tabs. */
export const HomePage = (props: HomePageProps) => {
  const { site, controls, typed = {}, failure, result, sender } = props
  const partOf = (form: 'paste' | 'link') => ({
    ...{ ...props, typed, controls: controls[form] },
    problem: failure?.form === form ? failure.problem : undefined,
  })
  return (
    <Layout
      title="New paste"
      site={site}
      script="home"
      shortcuts={shortcuts}
      isWide
      isUser={sender?.as === 'user'}
    >
      <div class="workspace">
        <section class="created" id="result" hidden={result === undefined} aria-label="What was created">
          {result === undefined ? null : <Result {...result} />}
        </section>
        <form class="editor" id="create" method="post" action="./" enctype="multipart/form-data">
          <FirstButton />
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

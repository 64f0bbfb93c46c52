import { Html } from '@elysiajs/html'
import { FieldInput } from './field-control.tsx'
import type { FormProps } from './form-props.ts'
import { KeyField, type Sender } from './key-field.tsx'
import { Layout } from './layout.tsx'
import { Text } from './paste-form.tsx'

type EditPageProps = FormProps & { kind: 'paste' | 'link'; sender: Sender | undefined }

const nouns = { paste: 'paste', link: 'short link' }

/** The versions of the item; a script fills them in. */
const Versions = () => (
  <section class="versions" id="versions" aria-labelledby="versions-title" hidden>
    <h2 id="versions-title">Versions</h2>
    <ul class="version-list" />
    <button class="button small" id="erase-versions" type="button">
      Erase earlier versions
    </button>
    <template id="version-row">
      <li>
        <button type="button" aria-pressed="false">
          <span class="version-name" />
          <time />
          <span class="version-size" />
        </button>
      </li>
    </template>
  </section>
)

/** One version, or how it differs from another, in the place of the text. */
const OneVersion = () => (
  <section class="version" id="version" aria-labelledby="version-title" hidden>
    <div class="version-head">
      {/* biome-ignore lint/a11y/useHeadingContent: the script fills it in */}
      <h2 id="version-title" tabindex="-1" />
      <label>
        Compare with <select id="against" />
      </label>
      <span class="row">
        <button class="button small" id="bring-back" type="button">
          Bring back
        </button>
        <button class="button small" id="close-version" type="button">
          Close
        </button>
      </span>
    </div>
    <div class="comparison">
      <p class="quiet" id="version-facts" />
      <span class="row" id="comparison-tools" hidden>
        <button class="button small" id="split" type="button" aria-pressed="false">
          Side by side
        </button>
        <button class="button small" id="save-patch" type="button">
          Save as a patch
        </button>
      </span>
    </div>
    <section class="diff unified" id="diff" tabindex="0" aria-label="Content" />
  </section>
)

const Save = ({ kind }: Pick<EditPageProps, 'kind'>) => (
  <div class="send">
    <p class="error" role="alert" hidden />
    <p class="row conflict" id="conflict" hidden>
      <button class="button small" id="compare-newest" type="button">
        Compare with the newest
      </button>
    </p>
    <div class="row">
      <button class="button primary" type="submit" name="create" value={kind}>
        Open
      </button>
      <a class="button" id="cancel" href="./">
        Cancel
      </a>
    </div>
  </div>
)

const Sure = () => (
  <dialog id="sure" aria-labelledby="sure-question">
    <form method="dialog">
      <p id="sure-question" />
      <p class="row">
        <button class="button danger" id="sure-yes" type="submit" value="yes" />
        <button class="button" type="submit" value="">
          Cancel
        </button>
      </p>
    </form>
  </dialog>
)

/** The page that changes an item of the kept key. Empty, until a script has asked for the item. */
export const EditPage = (props: EditPageProps) => {
  const { site, kind, controls, sender } = props
  const inputs = controls
    .filter(({ as }) => as !== 'area')
    .map((control) => <FieldInput {...props} control={control} />)
  const title = `Edit ${nouns[kind]}`
  return (
    <Layout
      title={title}
      site={site}
      script="edit"
      style={[site.formStyle, site.editStyle]}
      tab={kind}
      bar={{
        label: 'This page',
        title: (
          <h1 id="edit-title" safe>
            {title}
          </h1>
        ),
      }}
      isWide
      isUser={sender?.as === 'user'}
    >
      <p class="notice" data-nojs>
        Editing needs JavaScript, since the browser sends the API key of the item. On the command line, use{' '}
        <code>shortcrust edit</code>.
      </p>
      <div class="workspace" data-js>
        <form class="editor edit" id="create">
          <input type="hidden" name="tag" value="" />
          <p class="before" safe>
            {`To edit this ${nouns[kind]}, enter the API key you created it with.`}
          </p>
          <KeyField problem={undefined} sender={sender} />
          <section class={`${kind}-form`} id={`${kind}-form`} aria-labelledby="edit-title">
            {kind === 'paste' ? <Text {...props} sends="saves it" /> : null}
            <div class="panel">
              {inputs as 'safe'[]}
              <Versions />
            </div>
            <Save kind={kind} />
          </section>
          <OneVersion />
        </form>
      </div>
      <Sure />
    </Layout>
  )
}

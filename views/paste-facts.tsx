import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { Expiry, LastChange } from './expiry.tsx'
import type { PastePageProps, ViewChoice } from './paste-props.ts'

/** False for a preview, which has no lines to go to. */
export const hasLines = ({ view }: Pick<PastePageProps, 'view'>) => view !== 'preview'

/** With a script, the number of lines is the button of "Go to line". */
const LineCount = (paste: PastePageProps) => (
  <>
    {hasLines(paste) ? (
      <button
        class="fact-button"
        id="go"
        type="button"
        title="Go to line (g)"
        aria-keyshortcuts="g"
        data-js
        safe
      >
        {paste.lines}
      </button>
    ) : null}
    <span data-nojs={hasLines(paste)} safe>
      {paste.lines}
    </span>
  </>
)

const viewNames = { text: 'Text', preview: 'Preview', table: 'Table', formatted: 'Formatted' }

/** The text and its view, as two links. */
const ViewSwitch = ({ views }: { views: readonly ViewChoice[] }) => (
  <nav class="views" aria-label="Show as">
    {views.map(({ view, query, isShown }) => (
      <a
        id={`view-${view}`}
        href={query === '' ? '?' : Html.escapeHtml(query)}
        aria-current={isShown ? 'page' : undefined}
        safe
      >
        {viewNames[view]}
      </a>
    ))}
  </nav>
)

const Facts = (paste: PastePageProps) => (
  <ul class="facts" aria-label="Facts">
    <li safe>{paste.language}</li>
    <li>
      <LineCount {...paste} />
    </li>
    <li safe>{paste.size}</li>
    {paste.times === undefined ? null : (
      <li id="times" title="From the first time in the log to the last one" safe>
        {paste.times}
      </li>
    )}
    <li>
      <LastChange {...paste} />
    </li>
    {paste.changedAt === undefined ? null : (
      <li data-js>
        <button
          class="fact-button"
          id="follow"
          type="button"
          title="Show the newest version as it comes (f)"
          aria-keyshortcuts="f"
          aria-pressed="false"
        >
          Follow
        </button>
      </li>
    )}
    {paste.expiresAt === undefined ? null : (
      <li>
        <Expiry {...paste} />
      </li>
    )}
    {paste.readsLeft === undefined ? null : (
      <li safe>{paste.readsLeft === 1 ? '1 read left' : `${countText(paste.readsLeft)} reads left`}</li>
    )}
  </ul>
)

const Description = ({ description, descriptionHtml, isFolded }: PastePageProps) => {
  if (description === '') return null
  if (!isFolded) return <p class="description">{descriptionHtml as 'safe'}</p>
  return (
    <details class="description">
      <summary>Description</summary>
      <p>{descriptionHtml as 'safe'}</p>
    </details>
  )
}

/** Facts about the text in one line, and its description. */
export const PasteFacts = (paste: PastePageProps) => (
  <div class="about">
    {paste.views?.length ? <ViewSwitch views={paste.views} /> : null}
    <Facts {...paste} />
    <Description {...paste} />
  </div>
)

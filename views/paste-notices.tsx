import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import { rawOf } from './paste-bar.tsx'
import type { Missing, PastePageProps, Plain, Trouble } from './paste-props.ts'

const ReadsLeft = ({ count }: { count: number }) => (
  <p class="notice">
    {count === 0 ? (
      <>
        <strong>This was the last read.</strong> The paste is deleted, and this page is all that is left of
        it. Copy what you need before you close it.
      </>
    ) : (
      <>
        This read was counted. <strong safe>{count === 1 ? '1 read' : `${countText(count)} reads`}</strong>{' '}
        {count === 1 ? 'is' : 'are'} left. Reloading this page takes another one.
      </>
    )}
  </p>
)

const shownOf = ({ shown, total, isPartial }: NonNullable<PastePageProps['cut']>) => {
  if (isPartial && shown === 1) return 'Only the beginning of the first line is shown.'
  const first = shown === 1 ? 'first' : `first ${countText(shown)}`
  const end = isPartial ? ', the last of them only in part' : ''
  return `The ${first} of ${countText(total)} lines ${shown === 1 ? 'is' : 'are'} shown${end}.`
}

const Cut = ({ cut, raw }: { cut: NonNullable<PastePageProps['cut']>; raw: string }) => (
  <p class="notice" id="cut">
    <strong safe>{shownOf(cut)}</strong> The <a href={raw}>raw text</a> has all of{' '}
    {cut.total === 1 ? 'it' : 'them'}.
  </p>
)

const plainWords: Readonly<Record<Missing, { lacks: string } & Record<Plain, string>>> = {
  colours: {
    lacks: 'Shown without colours:',
    late: 'highlighting took too long.',
    failed: 'highlighting took too long, or failed.',
    large: 'the text is too large to be highlighted.',
  },
  view: {
    lacks: 'Shown as plain text:',
    late: 'the view took too long.',
    failed: 'the view took too long, or failed.',
    large: 'the text is too large for this view.',
  },
}

// biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself, with its query
const Again = () => <a href="">Try again</a>

/** The link reloads the page, so it works without a script. A text that is too large stays plain. */
const PlainNotice = ({ why, missing, canRetry }: { why: Plain; missing: Missing; canRetry: boolean }) => (
  <p class="notice" id="plain">
    <strong safe>{plainWords[missing].lacks}</strong> {plainWords[missing][why] as 'safe'}{' '}
    {canRetry ? <Again /> : null}
    {why === 'failed' && canRetry ? ' in a minute.' : null}
  </p>
)

type TroubleProps = Trouble & { id: string; title: string }

/** Why a view shows something as it is, with a link to its line. */
const ShownAsItIs = ({ id, title, why, line }: TroubleProps) => (
  <p class="notice" id={id}>
    <strong safe>{title}</strong> <span safe>{why}</span>{' '}
    {line === undefined ? null : <a href={`#L${line}`}>Go to line {countText(line) as 'safe'}</a>}
  </p>
)

const UnknownLanguage = ({ nearest }: { nearest: string }) => (
  <p class="notice" id="unknown-language">
    <strong>The language in the address is not known.</strong> Did you mean{' '}
    <a href={`?lang=${encodeURIComponent(nearest)}`} safe>
      {nearest}
    </a>
    ?
  </p>
)

const ignoredWords = {
  view: 'There is no such view of this text, so the page shows the text as it is.',
  level: 'Lines of this text have no such level, so none are left out.',
  grep: 'The word to find is too long, so no line is left out.',
}

const IgnoredNotice = ({ ignored }: { ignored: keyof typeof ignoredWords }) => (
  <p class="notice" id="ignored">
    {ignoredWords[ignored] as 'safe'}
  </p>
)

/** Notices above the text; most pastes have none. */
export const Notices = (paste: PastePageProps) => {
  const { readsLeft, cut, plain, missing = 'colours', nearestLanguage, ignored, refused, problem } = paste
  // Reloading the page of a burn-after-reading paste would be another read.
  const canReload = readsLeft === undefined
  return (
    <div id="notices">
      {readsLeft === undefined ? null : <ReadsLeft count={readsLeft} />}
      {cut ? <Cut cut={cut} raw={rawOf(paste)} /> : null}
      {plain ? <PlainNotice why={plain} missing={missing} canRetry={canReload && plain !== 'large'} /> : null}
      {refused ? <ShownAsItIs id="refused" title="Shown as plain text." {...refused} /> : null}
      {problem ? <ShownAsItIs id="problem" title="Some lines are shown as they are." {...problem} /> : null}
      {nearestLanguage === undefined ? null : <UnknownLanguage nearest={nearestLanguage} />}
      {ignored === undefined ? null : <IgnoredNotice ignored={ignored} />}
    </div>
  )
}

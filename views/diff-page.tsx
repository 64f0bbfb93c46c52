import { Html } from '@elysiajs/html'
import type { DiffPageProps, DiffSide, NotCompared } from './diff-props.ts'
import { Icon, type IconName } from './icons.tsx'
import { Layout } from './layout.tsx'
import type { Shortcut } from './shortcuts.tsx'

const shortcuts: readonly Shortcut[] = [
  ['s', 'Swap the sides'],
  ['d', 'Download as a patch'],
]

type ToolProps = {
  id: string
  href: string
  icon: IconName
  word: string
  shortcut: string
  download?: string
}

const Tool = ({ id, href, icon, word, shortcut, download }: ToolProps) => (
  <a
    class="tool"
    id={id}
    href={href}
    title={`${word} (${shortcut})`}
    aria-keyshortcuts={shortcut}
    {...(download !== undefined && { download: Html.escapeHtml(download) })}
  >
    <Icon name={icon} />
    <span class="word">{word as 'safe'}</span>
    {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing here takes the focus */}
    <kbd aria-hidden="true">{shortcut as 'safe'}</kbd>
  </a>
)

const addressOf = ({ site, sides: [before, after] }: DiffPageProps) =>
  `${site.root}diff/${before.name}/${after.name}`

const Bar = (diff: DiffPageProps) => {
  const { site, sides, patchFile, not } = diff
  const [before, after] = sides
  return (
    <>
      <h1 title={Html.escapeHtml(`${before.title} → ${after.title}`)}>
        {before.titleHtml as 'safe'} → {after.titleHtml as 'safe'}
      </h1>
      <nav class="actions" aria-label="This comparison">
        <Tool
          id="swap"
          href={`${site.root}diff/${after.name}/${before.name}${diff.look === 'split' ? '?view=split' : ''}`}
          icon="swap"
          word="Swap"
          shortcut="s"
        />
        {not === undefined ? (
          <Tool
            id="patch"
            href={`${addressOf(diff)}.patch`}
            icon="download"
            word="Patch"
            shortcut="d"
            download={patchFile}
          />
        ) : null}
      </nav>
    </>
  )
}

const looks = [
  { look: 'unified', word: 'Unified', query: '?' },
  { look: 'split', word: 'Side by side', query: '?view=split' },
] as const

const LookSwitch = ({ look }: Pick<DiffPageProps, 'look'>) => (
  <nav class="views" aria-label="Show as">
    {looks.map((one) => (
      <a id={`view-${one.look}`} href={one.query} aria-current={one.look === look ? 'page' : undefined}>
        {one.word as 'safe'}
      </a>
    ))}
  </nav>
)

const Side = ({ root, side, sign, word }: { root: string; side: DiffSide; sign: string; word: string }) => (
  <li>
    <span class="sign" title={word}>
      {sign as 'safe'}
    </span>
    <a href={`${root}p/${side.name}`}>{side.titleHtml as 'safe'}</a> <span safe>{side.facts}</span>
  </li>
)

/** The sides, and how much they differ. */
const Facts = ({ site: { root }, sides: [before, after], added, removed, look, not }: DiffPageProps) => (
  <div class="about diff-facts">
    {not === undefined ? <LookSwitch look={look} /> : null}
    {added === undefined ? null : <p class="size" safe>{`+${added} −${removed} lines`}</p>}
    <ul class="sides" aria-label="Sides">
      <Side root={root} side={before} sign="−" word="Before" />
      <Side root={root} side={after} sign="+" word="After" />
    </ul>
  </div>
)

const notWords: Readonly<Record<NotCompared, { what: string; advice: string; canRetry: boolean }>> = {
  different: {
    what: 'These pastes differ too much to be compared line by line.',
    advice: 'So many of their lines are in another order that comparing them would take too long.',
    canRetry: false,
  },
  large: {
    what: 'These pastes are too large to be compared here.',
    advice: 'Compare them with the command line: shortcrust diff.',
    canRetry: false,
  },
  late: { what: 'Comparing these pastes took too long.', advice: 'The server is busy.', canRetry: true },
  failed: {
    what: 'Comparing these pastes took too long, or failed.',
    advice: 'In a minute, the server tries it once more.',
    canRetry: true,
  },
}

// biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself, with its query
const Again = () => <a href="">Try again</a>

const Nothing = ({ title, children }: { title: string; children?: JSX.Element }) => (
  <section class="nothing" id="nothing">
    <h2 safe>{title}</h2>
    {children as 'safe'}
  </section>
)

const Content = (diff: DiffPageProps) => {
  const { not, isSame, look, digits, rowsHtml } = diff
  if (not !== undefined) {
    const { what, advice, canRetry } = notWords[not]
    return (
      <Nothing title={what}>
        <p>
          {advice as 'safe'} {canRetry ? <Again /> : null}
        </p>
      </Nothing>
    )
  }
  if (isSame) return <Nothing title="The texts are the same." />
  return (
    <section class={`diff ${look} digits-${digits}`} id="code" tabindex="0" aria-label="Differences">
      {rowsHtml as 'safe'}
    </section>
  )
}

/** The page that compares two pastes. */
export const DiffPage = (diff: DiffPageProps) => {
  const [before, after] = diff.sides
  return (
    <Layout
      title={`${before.title} → ${after.title}`}
      site={diff.site}
      style={diff.site.diffStyle}
      shortcuts={shortcuts}
      bar={<Bar {...diff} />}
      isWide
    >
      <div id="notices">
        {diff.isMistyped ? (
          <p class="notice" id="ignored">
            The view in the address is not known, so the page shows the usual one.
          </p>
        ) : null}
        {diff.isCut ? (
          <p class="notice" id="cut">
            <strong>Only the first differences have room on this page.</strong> The{' '}
            <a href={`${addressOf(diff)}.patch`}>patch</a> has all of them.
          </p>
        ) : null}
      </div>
      <Facts {...diff} />
      <Content {...diff} />
    </Layout>
  )
}

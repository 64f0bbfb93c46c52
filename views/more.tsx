import { Html, type PropsWithChildren } from '@elysiajs/html'
import { Icon, type IconName } from './icons.tsx'

type Face = {
  icon: IconName
  word: string
  /** Its key: tooltips, More and `?` show it. */
  shortcut?: string
  title?: string
}

type ControlProps = Face & {
  id?: string
  /** A link, which needs no script; without it, a button that does. */
  href?: string
  download?: string
  /** True for a button that is on or off. */
  isSwitch?: boolean
  /** The only windows that have it: those with room for every tool in the bar, or phones. */
  on?: 'wide' | 'narrow'
  /** True if only the maker of the item sees it. */
  isOwn?: boolean
  /** The address where a script asks whether the kept key made the item. */
  own?: string
}

/** Hidden from screen readers: the name of the control is its word. */
const Key = ({ children }: PropsWithChildren) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing here takes the focus
  <kbd aria-hidden="true">{children as 'safe'}</kbd>
)

const hintOf = ({ word, shortcut, title = word }: Face) =>
  shortcut === undefined ? title : `${title} (${shortcut})`

type FacePartProps = Pick<Face, 'icon' | 'word'> & { shortcut?: string | undefined; now?: string | undefined }

/** An icon and a word. @param now what is chosen, at the end of a row */
const FaceParts = ({ icon, word, shortcut, now }: FacePartProps) => (
  <>
    <Icon name={icon} />
    <span class="word">{word as 'safe'}</span>
    {now === undefined ? null : (
      <span class="now" safe>
        {now}
      </span>
    )}
    {shortcut === undefined ? null : <Key>{shortcut as 'safe'}</Key>}
  </>
)

type KindProps = ControlProps & { kind: 'tool' | 'entry'; now?: string }

const Control = ({ kind, id, href, download, isSwitch, on, isOwn, own, now, ...face }: KindProps) => {
  const attributes = {
    id,
    class: [kind, on && `${on}-only`, isOwn && 'of-key own'].filter(Boolean).join(' '),
    'aria-keyshortcuts': face.shortcut,
    ...(kind === 'tool' && { title: hintOf(face) }),
    ...(own !== undefined && { 'data-own': own }),
  }
  const { icon, word, shortcut } = face
  const parts = (
    <FaceParts icon={icon} word={word} now={now} shortcut={kind === 'entry' ? shortcut : undefined} />
  )
  if (href === undefined)
    return (
      <button type="button" data-js {...attributes} {...(isSwitch && { 'aria-pressed': 'false' })}>
        {parts as 'safe'}
      </button>
    )
  return (
    <a
      href={Html.escapeHtml(href)}
      {...attributes}
      {...(download !== undefined && { download: Html.escapeHtml(download) })}
    >
      {parts as 'safe'}
    </a>
  )
}

/** A control in a bar. */
export const Tool = (props: ControlProps) => <Control kind="tool" {...props} />

/** A row of More. @param now what is chosen, such as the number of versions */
export const MoreRow = (props: ControlProps & { now?: string }) => <Control kind="entry" {...props} />

/** A row of More that unfolds; one at a time. */
export const Part = ({ id, children, ...face }: PropsWithChildren<Face & { id: string; now?: string }>) => (
  <details class="part" name="part" id={id}>
    <summary class="entry" aria-keyshortcuts={face.shortcut}>
      <FaceParts {...face} />
    </summary>
    <div class="entry-body">{children as 'safe'}</div>
  </details>
)

const themes = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** Three buttons; `t` presses the next one. */
const ThemeChoice = () => (
  <div class="theme-row" data-js>
    <span aria-hidden="true">Theme</span>
    <fieldset class="choice" id="theme" aria-label="Theme" aria-keyshortcuts="t">
      {themes.map(([value, word]) => (
        <button class="button" type="button" value={value} aria-pressed="false">
          {word as 'safe'}
        </button>
      ))}
    </fieldset>
  </div>
)

type MoreProps = PropsWithChildren<{ root: string; newPaste: { 'aria-keyshortcuts'?: string } }>

/**
 * The menu at the end of a bar: what is special to the page, and the rest of the site. On a phone it is a sheet. It is a
 * `<details>`, so it works without a script; its keys work while it is closed.
 */
export const More = ({ root, newPaste, children }: MoreProps) => (
  <details class="menu more" name="menu" id="more">
    <summary class="tool" title="More (m)" aria-keyshortcuts="m">
      <FaceParts icon="more" word="More" />
    </summary>
    <div class="popup">
      {children as 'safe'}
      <nav class="site" aria-label="Site">
        <a class="entry" href={root} {...newPaste}>
          New paste
        </a>
        <a class="entry" href={`${root}?items`}>
          My items
        </a>
        <a class="entry" href={`${root}?link`}>
          Short link
        </a>
        <a class="entry" href={`${root}docs`}>
          API
        </a>
      </nav>
      <ThemeChoice />
      <MoreRow id="help" icon="help" word="Keyboard shortcuts" shortcut="?" on="wide" />
    </div>
  </details>
)

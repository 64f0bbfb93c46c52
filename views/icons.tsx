import { Html } from '@elysiajs/html'

/** Strokes on a grid of 16, drawn for this program: a package of icons would add 67 MB for twenty of them. */
const strokes = {
  new: 'M8 3v10M3 8h10',
  link: 'M6.5 9.5l3-3M7 4.7l1.2-1.2a2.9 2.9 0 0 1 4.2 4.2L11.3 9M9 11.3l-1.2 1.2a2.9 2.9 0 0 1-4.2-4.2L4.7 7',
  items: 'M6 4h8M6 8h8M6 12h8M2 4h1M2 8h1M2 12h1',
  api: 'M6 2.5c-2.5 0-1 4.5-3.5 5.5 2.5 1 1 5.5 3.5 5.5M10 2.5c2.5 0 1 4.5 3.5 5.5-2.5 1-1 5.5-3.5 5.5',
  copy: 'M5.5 7a1.5 1.5 0 0 1 1.5-1.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-5A1.5 1.5 0 0 1 5.5 12zM10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5',
  duplicate:
    'M5.5 7a1.5 1.5 0 0 1 1.5-1.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-5A1.5 1.5 0 0 1 5.5 12zM10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5M9.5 7.8v3.4M7.8 9.5h3.4',
  raw: 'M9.5 1.5H4v13h8.5v-10zM9.5 1.5v3h3M6 8h4.5M6 11h4.5',
  file: 'M9.5 1.5H4v13h8.5v-10zM9.5 1.5v3h3',
  download: 'M8 2v8.5M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  wrap: 'M2 3.5h12M2 8h9.7a2.2 2.2 0 0 1 0 4.5H8M10 10.5l-2 2 2 2M2 12.5h3',
  language: 'M5 4.5L1.5 8 5 11.5M11 4.5L14.5 8 11 11.5M9.2 3l-2.4 10',
  qr: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v4h-4v-1.5',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11M8 4v8M6 4.5v7M4.5 6v4',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9C8.3 8.4 8 8.8 8 9.8M8 12.5v.1',
  key: 'M5 8.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM6.8 9.2L13 3M10.5 5.5l2 2',
  user: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.8 13.5a5.2 5.2 0 0 1 10.4 0',
  edit: 'M2.5 13.5l.8-3.3 7.4-7.4a1.2 1.2 0 0 1 1.7 0l.8.8a1.2 1.2 0 0 1 0 1.7l-7.4 7.4zM9.2 4.3l2.5 2.5',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3L14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  compare: 'M2 3h12v10H2zM8 3v10M4 8h2M10 8h2M11 7v2',
  swap: 'M2.5 5.5h10M9.5 2.5l3 3-3 3M13.5 10.5h-10M6.5 7.5l-3 3 3 3',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  share: 'M8 10V2M5 4.5L8 1.8l3 2.7M4.5 7H3v6.5h10V7h-1.5',
  lines: 'M2.5 4h6M2.5 8h4M2.5 12h6M10 8h3.5M11.5 5.8L13.7 8l-2.2 2.2',
  quote: 'M3 4v8M6 5h7.5M6 8h7.5M6 11h4.5',
  history: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3',
  follow: 'M2 8h2.5L6.5 3.5 9.5 12.5 11.5 8H14',
} as const

export type IconName = keyof typeof strokes

/** A decorative icon beside a word, or in a button with a label: screen readers skip it. */
export const Icon = ({ name, class: extra = '' }: { name: IconName; class?: string }) => (
  <svg class={`icon ${extra}`.trim()} viewBox="0 0 16 16" aria-hidden="true">
    <path d={strokes[name]} />
  </svg>
)

import { states } from '../../../scripts/look/list.ts'

/** States that one file looks at: several files run at once. */
export type Part = 'creating' | 'items' | 'pastes' | 'others'

const pages: Readonly<Record<string, Part>> = {
  home: 'creating',
  link: 'creating',
  items: 'items',
  paste: 'pastes',
  log: 'pastes',
}

/** Each state is in one part, also one of a new page. */
export const statesOf = (part: Part) =>
  states.filter(({ name }) => (pages[name.split('/')[0] ?? ''] ?? 'others') === part)

/** Megabytes of text: looked at more quickly, for they are built as the others of their kind. */
export const huge = new Set(['paste/cut', 'paste/plain', 'home/error-text'])

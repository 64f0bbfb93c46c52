import { optionalQuery } from '../../describe/parts.ts'
import { sortsOf } from './wanted.ts'

const words =
  'At most 32 words that must all occur, in any order, without regard to case and accents: as whole words in the text, and also as beginnings of words, of two letters or more, in '

const found = {
  paste: `${words}title, description and name. The text of a burn-after-reading paste is not searched.`,
  link: `${words}target and name. The target of a link with a limit of visits is not searched.`,
}

const since =
  'Created since then: a date, a time (UTC where it names no zone), or how long ago, such as `7d`, `12h` or `30m`'

const language = optionalQuery('language', 'Pastes in this language, by any of its names', 'json')

/** The parameters of a list that choose and sort its items. */
export const findingParameters = (kind: keyof typeof sortsOf) => [
  optionalQuery('q', found[kind], kind === 'paste' ? 'error timeout' : 'example'),
  ...(kind === 'paste' ? [language] : []),
  optionalQuery('since', since, '7d'),
  optionalQuery(
    'sort',
    'Newest, last changed, most used or largest first, or what expires next; newest when left out',
    'size',
    { enum: Object.keys(sortsOf[kind]) },
  ),
]

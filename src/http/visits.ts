import { memoize } from './answers.ts'

/** The kind of client that a `User-Agent` names. */
export type Visitor = 'browser' | 'program' | 'robot'

/**
 * Words in the names of crawlers, previews and scanners, and the web address that polite ones add. Cubot makes phones.
 * `isbot` was tried: it takes programs that follow a link for a person (`my-download-script/1.0`, `PHP/8.2`, `scrapy/2`)
 * for robots, and for robots posing as browsers it would replace only five names.
 */
const robotWords = [
  '(?<!\\bcu)bot(?:s?\\b|_)',
  'crawl',
  'spider',
  'slurp',
  'preview',
  'scanner',
  'unfurl',
  'link-?check',
  'headless',
  '\\+https?:',
]

/** Preview fetchers, mail scanners and crawlers with names that contain none of those words. */
const robotNames = [
  '^WhatsApp/', // Signal uses this name too.
  'facebookexternalhit',
  'facebookcatalog',
  'meta-external',
  'Slack-ImgProxy',
  'Synapse',
  'Mastodon/',
  'Pleroma',
  'Akkoma',
  'Friendica',
  'Misskey',
  'Lemmy/',
  'Iframely',
  'Embedly',
  'vkShare',
  'kakaotalk-scrap',
  'line-poker',
  'Onebox',
  '(?:^|compatible; )Rocket\\.?Chat', // Its desktop app sends a browser name.
  'ChatGPT-User',
  'Datadog',
  'nagios',
  'Mediapartners-Google',
  'APIs-Google',
  'Google-(?:PageRenderer|Read-Aloud|InspectionTool|Safety)',
  'GoogleImageProxy',
  'YahooMailProxy',
  'Outlook-?LinkExpander',
  'Mimecast',
  'Proofpoint',
  'Barracuda',
  'ia_archiver',
]

const robot = new RegExp([...robotWords, ...robotNames].join('|'), 'i')

/** Longer than any known name. A new header of 16 KB would take 0.4 ms each time. */
const judgedChars = 500

/** Programs (curl, wget, libraries) follow a link for a person; robots fetch every link they find. */
export const judgeVisitor = (userAgent: string): Visitor => {
  if (robot.test(userAgent.slice(0, judgedChars))) return 'robot'
  return userAgent.startsWith('Mozilla/') ? 'browser' : 'program'
}

const visitorOf = memoize(judgeVisitor)

/** True when a browser fetches ahead, in case the user follows the link, or a page that is open asks for changes. */
const isNoVisit = ({ headers }: Request) =>
  /^(?:prefetch|follow)/.test(headers.get('sec-purpose') ?? headers.get('purpose') ?? '')

/** True for a `GET` that counts as a visit: not by a robot, and not a browser's prefetch. */
export const isVisit = (request: Request) => {
  if (request.method !== 'GET') return false
  const visitor = visitorOf(request.headers.get('user-agent') ?? '')
  return visitor === 'program' || (visitor === 'browser' && !isNoVisit(request))
}

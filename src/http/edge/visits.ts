import { memoize } from '../answers/prepared.ts'

/** What a `User-Agent` says of its sender. */
export type Visitor = 'browser' | 'program' | 'robot'

/**
 * Words in the names of crawlers, previews and scanners, and the address that well-behaved ones give. Cubot makes phones.
 * `isbot` was tried for this: its patterns take programs that follow a link for somebody (`my-download-script/1.0`,
 * `PHP/8.2`, `scrapy/2`) for robots, and for what poses as a browser they replace five names.
 */
const words = [
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

/** Fetchers of previews, mail scanners and crawlers whose names say nothing. */
const names = [
  '^WhatsApp/', // Signal calls itself so, too.
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
  '(?:^|compatible; )Rocket\\.?Chat', // Its desktop app is a browser.
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

const robot = new RegExp([...words, ...names].join('|'), 'i')

/** Longer than any known name; a header of 16 KB would take 0.4 ms each time it is another one. */
const judgedChars = 500

/** Programs (curl, wget, libraries) that follow a link do so for somebody; robots look at whatever is mentioned. */
export const judgeVisitor = (userAgent: string): Visitor => {
  if (robot.test(userAgent.slice(0, judgedChars))) return 'robot'
  return userAgent.startsWith('Mozilla/') ? 'browser' : 'program'
}

const visitorOf = memoize(judgeVisitor)

/** What browsers fetch in case somebody will want it. */
const isPrefetch = ({ headers }: Request) =>
  (headers.get('sec-purpose') ?? headers.get('purpose') ?? '').startsWith('prefetch')

/** True for a `GET` by somebody, not by a robot that previews or scans, nor by a browser that prefetches. */
export const isVisit = (request: Request) => {
  if (request.method !== 'GET') return false
  const visitor = visitorOf(request.headers.get('user-agent') ?? '')
  return visitor === 'program' || (visitor === 'browser' && !isPrefetch(request))
}

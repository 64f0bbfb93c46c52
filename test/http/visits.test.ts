import { describe, expect, test } from 'bun:test'
import { isVisit, judgeVisitor } from '../../src/http/visits.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36'
const pixel = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)'

const robots = [
  // Previews of chats
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'WhatsApp/2.23.20.0 A',
  'WhatsApp/2',
  'TelegramBot (like TwitterBot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'facebookcatalog/1.0',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'facebookexternalhit/1.1;line-poker/1.0',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  // iMessage
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Synapse/1.110.0',
  'Mozilla/5.0 (compatible; ZulipURLPreview/9.0; +https://zulip.example)',
  'Mattermost-Bot/1.1',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  // Social networks and forums
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Jakarta Commons-HttpClient/3.1 +http://www.linkedin.com)',
  'Mastodon/4.2.8 (http.rb/5.1.1; +https://mastodon.example/)',
  'http.rb/5.2.0 (Mastodon/4.3.0; +https://mastodon.example/) Bot',
  'Pleroma 2.6.0; https://social.example <admin@social.example>',
  'Akkoma 3.13; https://social.example',
  'Misskey/2024.5.0 (https://misskey.example)',
  'Lemmy/0.19.3; +https://lemmy.example',
  'Friendica 2024.03; https://friendica.example',
  'Discourse Forum Onebox v3.3.0',
  'Rocket.Chat/6.1.0',
  'Mozilla/5.0 (compatible; Rocket.Chat/6.1.0)',
  'ChatGPT-User/1.0',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  // Mail
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'OutlookLinkExpander/1.0',
  'Mozilla/5.0 (compatible; Mimecast URL Protection)',
  'Proofpoint URL Defense',
  'BarracudaCentral',
  'MailScanner/5.4',
  // Search engines and other crawlers
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  `${pixel} Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/))`,
  'Mediapartners-Google',
  'APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)',
  'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) BingPreview/1.0b',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bytespider)',
  'ia_archiver',
  'Nextcloud Server Crawler',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  chrome.replace('Chrome/', 'HeadlessChrome/'),
  `${chrome} DatadogSynthetics`,
  'Datadog/Synthetics',
  'check_http/v2.3.3 (nagios-plugins 2.3.3)',
  'W3C-checklink/5.0 libwww-perl/6.67 LinkChecker',
]

const browsers = [
  chrome,
  `${chrome} Edg/138.0.0.0`,
  `${chrome} OPR/120.0.0.0`,
  `${chrome} Vivaldi/7.4`,
  `${chrome} Rocket.Chat/4.0.0 Electron/30.0.0`,
  'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (Android 14; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/520.0;FBDV/iPhone15,2]',
  `${pixel} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 GSA/16.0`,
  `${pixel} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (Linux; Android 12; CUBOT X50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041',
]

const programs = [
  '',
  'curl/8.14.1',
  'Wget/1.25.0',
  'HTTPie/3.2.4',
  'python-requests/2.32.4',
  'Python-urllib/3.13',
  'aiohttp/3.12 Python/3.13',
  'Go-http-client/1.1',
  'node',
  'undici',
  'axios/1.10.0',
  'Bun/1.4.5',
  'Deno/2.4',
  'okhttp/4.12.0',
  'Apache-HttpClient/5.5 (Java/21)',
  'Java/21.0.7',
  'libwww-perl/6.79',
  'Ruby',
  'aria2/1.37.0',
  'Lynx/2.9.2 libwww-FM/2.14',
  'w3m/0.5.3',
  'Links (2.30; Linux x86_64)',
  'my-backup-script/1.0',
  'my-download-script/1.0',
  'backup-server 2.0 (internal)',
  'PostmanRuntime/7.39.0',
  'GuzzleHttp/7',
  'PHP/8.2',
  'scrapy/2',
  'Lavf/60.16.100',
]

const request = (headers: Record<string, string>, method = 'GET') =>
  new Request('http://nas/s/abcdefg', { method, headers })

describe('a robot', () => {
  test.each(robots)('is %s, and no visit', (name) => {
    expect(judgeVisitor(name)).toBe('robot')
    expect(judgeVisitor(name.toUpperCase())).toBe('robot')
    expect(isVisit(request({ 'User-Agent': name }))).toBe(false)
  })
})

describe('a browser', () => {
  test.each(browsers)('is %s, and a visit', (name) => {
    expect(judgeVisitor(name)).toBe('browser')
    expect(isVisit(request({ 'User-Agent': name }))).toBe(true)
  })

  test.each([
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'prefetch;prerender' },
    { 'Sec-Purpose': 'prefetch;anonymous-client-ip' },
    { Purpose: 'prefetch' },
  ])('that sends %j is none yet', (headers) => {
    expect(isVisit(request({ 'User-Agent': chrome, ...headers }))).toBe(false)
    expect(isVisit(request({ 'User-Agent': chrome }))).toBe(true)
  })
})

describe('a program that follows a link', () => {
  test.each(programs)('is %j, and a visit', (name) => {
    expect(judgeVisitor(name)).toBe('program')
    expect(isVisit(request(name ? { 'User-Agent': name } : {}))).toBe(true)
  })
})

describe('a visit', () => {
  test.each(['HEAD', 'POST', 'OPTIONS', 'DELETE'])('is no %s', (method) => {
    expect(isVisit(request({}, method))).toBe(false)
  })
})

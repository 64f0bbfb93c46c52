// `npm run demo`: makes docs/demo.svg again, from commands that run and a page that Chromium shows.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../src/shell-words.ts'
import { launchChromium, openTab, requireChromium } from '../../test/support/browser.ts'
import { repository, start, target, temporaryFolder, testKey } from '../../test/support/process.ts'
import { openTerminal } from '../../test/support/terminal.ts'
import { untilMade } from '../../test/support/until.ts'
import { drawingOf, type Picture, viewport } from './drawing.ts'

/** The server's name in a local network. A setting leads curl to the server, a variable the client. */
const site = 'http://nas'
const commands = [`df -h | curl -H "key: $KEY" --data-binary @- ${site}`, 'shortcrust paste greet.ts']
const marked = '#L2-L3'
/** Ids and keys are random. These are shown instead, so each run makes the same demo. */
const [fixedIds, fixedSecret] = [['k3v9m2xw8r', '7y84tyt5ec'], 'drkp5e2w4xsuv3n3tchc9muwzk']
const withFixedIds = (shown: string, at: number) =>
  shown
    .replace(/(?<=key=)[a-z0-9]{36}/, `${fixedIds[at]}${fixedSecret}`)
    .replace(/(?<=\/p\/)[a-z0-9]{10}/, `${fixedIds[at]}`)

const greet = `/** Greets each name once. */
export const greet = (names: readonly string[]) =>
  [...new Set(names)].map((name) => \`Hello, \${name}!\`)

console.log(greet(['Ada', 'Grace', 'Ada']))
// [ 'Hello, Ada!', 'Hello, Grace!' ]
`

/** A terminal's folder and variables: the file, and the program on the path. */
const openHome = (url: string) => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'bin'))
  const program = `#!/bin/sh\nexec ${target.map(shellWord).join(' ')} "$@"\n`
  writeFileSync(join(cwd, 'bin/shortcrust'), program, { mode: 0o755 })
  writeFileSync(join(cwd, 'greet.ts'), greet)
  writeFileSync(join(cwd, '.curlrc'), `connect-to = "nas:80:${new URL(url).host}"\n`)
  const variables = { KEY: testKey, SHORTCRUST_KEY: testKey, SHORTCRUST_SERVER: url }
  return { cwd, env: { ...variables, HOME: cwd, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } }
}

/** What a terminal shows of a command. @throws {Error} if it fails */
const showOf = async (command: string, home: ReturnType<typeof openHome>) => {
  // The kernel does not say when a terminal has shown all; what follows it does.
  const { screen } = openTerminal(['sh', '-c', `${command}; echo "END $?"`], home)
  const { index, 1: code } = await screen.waitFor(/END (\d+)/)
  const shown = screen.text().slice(0, index).replaceAll('\r', '').trimEnd()
  if (code !== '0') throw new Error(`${command}: ${shown}`)
  return shown
}

/** The page before and after its lines are marked, in both themes. @throws {Error} if Chromium reports a problem */
const photograph = async (origin: string, path: string) => {
  const browser = await launchChromium()
  const { page, problems } = await openTab(browser, origin, { viewport: { ...viewport, height: 720 } })
  const chromium = await page.context().newCDPSession(page)
  const shot = { format: 'webp', quality: 60, clip: { x: 0, y: 0, ...viewport, scale: 2 } } as const
  const pictures: Picture[] = []
  for (const theme of ['light', 'dark'] as const)
    for (const fragment of ['', marked]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.goto('about:blank')
      await page.goto(path + fragment)
      await page.evaluate(`document.querySelector('.facts time').textContent = 'just now'`)
      if (await page.locator('#plain').count()) problems.push('the page has no colours')
      const { data } = await chromium.send('Page.captureScreenshot', shot)
      pictures.push({ theme, isMarked: fragment !== '', href: `data:image/webp;base64,${data}` })
    }
  await browser.close()
  if (problems.length) throw new Error(problems.join('\n'))
  return pictures
}

if (!requireChromium()) process.exit(1)
const server = await start({ args: ['--public-url', site, '--base-url', site, '--log', 'off'] })
const home = openHome(server.url)
const shown = [await showOf(commands[0] ?? '', home), await showOf(commands[1] ?? '', home)]
const path = /(?<=http:\/\/nas)\/p\/\w+/.exec(shown[1] ?? '')?.[0] ?? ''
await untilMade(server.url + path)
const pictures = await photograph(server.url, path)
await server.stop()
const steps = shown.map((text, at) => ({ command: commands[at] ?? '', output: withFixedIds(text, at) }))
const svg = drawingOf({ steps, address: withFixedIds(site + path, 1), marked, pictures })
await Bun.write(join(repository, 'docs/demo.svg'), svg)
console.log(`docs/demo.svg: ${Math.ceil(svg.length / 1024)} KiB`)

import { exampleLink, examplePaste, type Fields, homePage } from '../../../test/support/page-objects/home.ts'
import { itemsPage } from '../../../test/support/page-objects/items.ts'
import { maskPanel } from '../../../test/support/page-objects/masking.ts'
import { testKey } from '../../../test/support/process.ts'
import { createValues } from '../../mask/secrets.ts'
import { samples } from '../samples.ts'
import { type OwnedCount, opens, ownedCounts, type Show, type Stage, statesOf } from '../state.ts'

const [isLong, needsScript] = [true, true] as const

/** Fills the form of a kind in and sends it, unless `isSent` is false. */
const submits =
  (kind: 'paste' | 'link', fields: Fields, isSent = true): Show =>
  async (stage) => {
    const home = homePage(stage.page)
    await stage.open(home.path(kind))
    const all = { ...(kind === 'paste' ? examplePaste : exampleLink), ...fields }
    if (!isSent) return home.fill(kind, all)
    await home.create(kind, all)
    await home.answered(kind)
  }

const home = statesOf('home', 'home-page', '/')
/** The start page: what it is before, while and after a paste is created. */
export const homeStates = [
  home('empty', 'Nothing typed yet', opens('/'), { isLong }),
  home(
    'key-kept',
    'The key is kept in this browser',
    async ({ keep, open }) => {
      await keep({ key: testKey, 'key-name': 'laptop' })
      await open('/')
    },
    { needsScript },
  ),
  home('filled', 'Everything typed, nothing sent', submits('paste', { alias: 'my-name', maxReads: '3' }, false)),
  home('suggested', 'Filled by an address, with a lifetime that the form does not have', opens('/?text=one%0Atwo&title=notes.py&expiresIn=37h'), { isLong }),
  home('created', 'A paste was created', submits('paste', { ...samples.code, language: '' })),
  home('created-undo', 'It can be undone, for a moment', async (stage) => {
    await submits('paste', {})(stage)
    await stage.page.locator('.made summary').click()
  }, { needsScript }),
  home('created-detected', 'A paste was created and its language was found', submits('paste', { title: '', text: '{"name": "a", "private": true}\n', language: '' }), { isLong }),
  home('created-burn', 'A paste that can be read once was created', submits('paste', { burn: 'yes' }), { isLong }),
  home('error-key', 'The API key is not valid', submits('paste', { key: 'sc_wrong' }), { isLong }),
  home('error-name', 'The name has a character that names may not have', submits('paste', { alias: 'no spaces!' }), { isLong }),
  home('error-title', 'The title is too long', submits('paste', { title: 'long '.repeat(300) }), { isLong }),
  home('error-text', 'The text is too large', submits('paste', { text: `${'x'.repeat(1000)}\n`.repeat(1100) }), { isLong }),
  home('error-name-taken', 'The name is taken', async (stage) => {
    const alias = 'taken'
    const { status } = await stage.client.post('/paste', { ...examplePaste, alias })
    if (![201, 409].includes(status)) throw new Error(`the name was answered ${status}`)
    await submits('paste', { alias })(stage)
  }),
  home('error-too-many', 'Too many requests (429)', async (stage) => {
    const key = await stage.openLimited()
    const form = homePage(stage.page)
    await form.create('paste', { ...examplePaste, key })
    await form.answered('paste')
  }),
  home(
    'error-offline',
    'The server cannot be reached',
    async (stage) => {
      await stage.page.route('**/paste', (route) => route.abort())
      await submits('paste', {})(stage)
    },
    { needsScript },
  ),
] // biome-ignore format: a table to skim

const link = statesOf('link', 'home-page', '/')
const preview = statesOf('preview', 'link-page', '/s/{id}+')
const previewOf =
  (url: string, fields: object, visits: number): Show =>
  async ({ client, open }) => {
    const { shortendUrl = '' } = await client.link(url, fields)
    for (let visit = 0; visit < visits; visit++) await client.get(shortendUrl, { Accept: 'text/html' })
    await open(`${shortendUrl}+`)
  }
const longAddress = `https://xn--mnchen-3ya.example/${'a-long-path/'.repeat(30)}`

/** Short links: the form, and the page that shows where one goes. */
export const linkStates = [
  link('empty', 'Nothing typed yet', ({ page, open }) => open(homePage(page).path('link'))),
  link('created', 'A short link was created', submits('link', {})),
  link('created-limited', 'A short link for five visits was created', submits('link', { maxVisits: '5' })),
  link('error-address', 'The address is not one', submits('link', { url: 'not an address' })),
  link('error-key', 'The API key is not valid', submits('link', { key: 'sc_wrong' })),
  preview('new', 'Nobody followed it yet', previewOf('https://example.org/a?b=c#d', {}, 0)),
  preview('long', 'A long address, followed twice, with an expiry', previewOf(longAddress, { expiresIn: '2h' }, 2)),
] // biome-ignore format: a table to skim

/** An item as the browser keeps it. */
const keptItem = (_: unknown, at: number) => ({
  kind: at % 3 === 2 ? 'link' : 'paste',
  name: at % 5 === 3 ? '' : `Item number ${at + 1} of this browser`,
  url: `http://127.0.0.1/${at % 3 === 2 ? 's/8xkwphv' : 'p/7y84tyt5ec'}`,
  deletionUrl: `http://127.0.0.1/paste/delete?key=${at}`,
  createdAt: new Date(Date.now() - at * 5_000_000).toISOString(),
})

/** Every third item is a short link, on a list of its own; fifty are listed at once. */
const listWith =
  (count: number, kept: (stage: Stage) => Promise<Record<string, string>>): Show =>
  async (stage) => {
    await stage.keep(await kept(stage))
    const { rows, untilCount } = itemsPage(stage.page)
    await stage.open('/?items')
    const listed = Math.min(count - Math.floor(count / 3), 50)
    await (listed === 0 ? untilCount(0) : rows.nth(listed - 1).waitFor())
  }

/** The list of a kept key, with words in the address. */
const searches =
  (words: string, until: string): Show =>
  async (stage) => {
    await stage.keep({ key: await stage.owner(300), 'key-name': 'owner-300' })
    await stage.open(`/?items&q=${encodeURIComponent(words)}&sort=size`)
    await itemsPage(stage.page).state.getByText(until).waitFor()
  }

/** The page without a script, of a key and words that were typed. */
const lists =
  (count: OwnedCount, words = ''): Show =>
  async ({ page, owner }) =>
    homePage(page).items.list(await owner(count), words)

const plainPage = { isLong, isPlain: true } as const
const itemsPageState = statesOf('items', 'items-page', '/')
const items = statesOf('items', 'home-page', '/')
/** My items, of this browser and of a key; without a script the list is a page of its own. */
export const itemStates = [
  ...ownedCounts.map((count) => {
    const kept = async () => ({ items: JSON.stringify(Array.from({ length: count }, keptItem)) })
    const shows = `${count} items of this browser, no key`
    return items(`browser-${count}`, shows, listWith(count, kept), { needsScript, isLong })
  }),
  ...ownedCounts.map((count) => {
    const kept = async ({ owner }: Stage) => ({ key: await owner(count), 'key-name': `owner-${count}` })
    return items(`key-${count}`, `${count} items of the kept key`, listWith(count, kept), {
      needsScript,
      isLong,
    })
  }),
  items(
    'links',
    'Short links of the kept key',
    async (stage) => {
      await stage.keep({ key: await stage.owner(300), 'key-name': 'owner-300' })
      await stage.open('/?items&kind=link')
      await itemsPage(stage.page).rows.first().waitFor()
    },
    { needsScript, isLong },
  ),
  items(
    'menu',
    'The menu of an item is open',
    async (stage) => {
      await listWith(3, async ({ owner }) => ({ key: await owner(3), 'key-name': 'owner-3' }))(stage)
      await itemsPage(stage.page).rows.first().locator('summary').click()
    },
    { needsScript },
  ),
  items('plain', 'Asks for the key, without a script', opens('/?items'), { isPlain: true }),
  items('found', 'Found by a word, largest first', searches('item', 'found.'), { needsScript }),
  items('found-nothing', 'Nothing was found', searches('no such “words”', 'Nothing found'), { needsScript }),
  ...ownedCounts.map((count) =>
    itemsPageState(`page-${count}`, `${count} items of the key that was typed`, lists(count), plainPage),
  ),
  itemsPageState('page-found', 'Found by a word', lists(300, 'example'), plainPage),
  itemsPageState('page-found-nothing', 'Nothing was found', lists(300, 'no such “words”'), plainPage),
]

/** A log and settings as people paste them; the keys are random. */
const { of } = createValues(21)
const secretSettings = `# settings of the shop
DB_HOST=10.20.4.17
DB_PASSWORD=orange-window-42
AWS_ACCESS_KEY_ID=AKIA${of('base32', 15)}7
GITHUB_TOKEN=ghp_${of('alnum', 36)}
`
const secretLog = `11:02:07 listening on 10.20.4.17:8080
11:02:09 GET /orders 200 from 192.168.7.31
11:02:12 mail to ines.kaya@corp-lab.com failed: relay 10.20.4.18 refused it
  File "/home/ines/shop/mail.py", line 42, in send
11:02:13 device 3c:4f:1a:90:0b:7e left
`

const typesSecrets =
  (text: string): Show =>
  async ({ page, open }) => {
    await open('/')
    await homePage(page).fill('paste', { text, title: 'shop.log' })
    await maskPanel(page).found.waitFor()
  }

const masks =
  (text: string): Show =>
  async (stage) => {
    await typesSecrets(text)(stage)
    await maskPanel(stage.page).maskAll()
  }

/** The form with a text that looks secret, and after it was masked. */
export const maskStates = [
  home('secret', 'The text looks secret', typesSecrets(secretSettings + secretLog), { needsScript }),
  home('personal', 'The text has addresses and names, nothing secret', typesSecrets(secretLog), {
    needsScript,
  }),
  home('masked', 'Everything was masked', masks(secretSettings + secretLog), { needsScript }),
  home(
    'masked-partly',
    'Two of the masked values were put back',
    async (stage) => {
      await masks(secretSettings + secretLog)(stage)
      const panel = maskPanel(stage.page)
      await panel.takeBack('<ip-1>')
      await panel.takeBack('<user-1>')
    },
    { needsScript },
  ),
]

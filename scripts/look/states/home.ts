import { examplePaste, type Fields, homePage } from '../../../test/support/page-objects/home.ts'
import { testKey } from '../../../test/support/process.ts'
import type { Stage, State } from '../state.ts'

const page = { view: 'home-page', route: '/' } as const

const sent = (name: `home/${string}`, shows: string, fields: Fields): State => ({
  ...page,
  name,
  shows,
  isLong: true,
  show: async (stage) => {
    await stage.open('/')
    const home = homePage(stage.page)
    await home.create('paste', { ...examplePaste, ...fields })
    await home.answered('paste')
  },
})

const takenName = async ({ client }: Stage) => {
  const alias = 'taken'
  const answer = await client.post('/paste', { ...examplePaste, alias })
  if (![201, 409].includes(answer.status)) throw new Error(`the name was answered ${answer.status}`)
  return alias
}

/** The start page: what it is before, while and after a paste is created. */
export const homeStates: readonly State[] = [
  { ...page, name: 'home/empty', shows: 'Nothing typed yet', isLong: true, show: ({ open }) => open('/') },
  {
    ...page,
    name: 'home/key-kept',
    shows: 'The key is kept in this browser',
    needsScript: true,
    show: async ({ keep, open }) => {
      await keep({ key: testKey, 'key-name': 'laptop' })
      await open('/')
    },
  },
  {
    ...page,
    name: 'home/filled',
    shows: 'Everything typed, nothing sent',
    show: async (stage) => {
      await stage.open('/')
      await homePage(stage.page).fill('paste', { ...examplePaste, alias: 'my-name', maxReads: '3' })
    },
  },
  sent('home/created', 'A paste was created', {}),
  sent('home/created-burn', 'A paste that can be read once was created', { burn: 'yes' }),
  sent('home/error-key', 'The API key is not valid', { key: 'sc_wrong' }),
  sent('home/error-name', 'The name has a character that names may not have', { alias: 'no spaces!' }),
  sent('home/error-title', 'The title is too long', { title: 'long '.repeat(300) }),
  sent('home/error-text', 'The text is too large', { text: `${'x'.repeat(1000)}\n`.repeat(1100) }),
  {
    ...page,
    name: 'home/error-name-taken',
    shows: 'The name is taken',
    show: async (stage) => {
      const alias = await takenName(stage)
      await stage.open('/')
      const home = homePage(stage.page)
      await home.create('paste', { ...examplePaste, alias })
      await home.answered('paste')
    },
  },
  {
    ...page,
    name: 'home/error-too-many',
    shows: 'Too many requests (429)',
    show: async (stage) => {
      const key = await stage.openLimited()
      const home = homePage(stage.page)
      await home.create('paste', { ...examplePaste, key })
      await home.answered('paste')
    },
  },
  {
    ...page,
    name: 'home/error-offline',
    shows: 'The server cannot be reached',
    needsScript: true,
    show: async (stage) => {
      await stage.open('/')
      await stage.page.route('**/paste', (route) => route.abort())
      const home = homePage(stage.page)
      await home.create('paste', examplePaste)
      await home.answered('paste')
    },
  },
]

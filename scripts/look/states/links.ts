import { exampleLink, type Fields, homePage } from '../../../test/support/page-objects/home.ts'
import type { Stage, State } from '../state.ts'

const form = { view: 'home-page', route: '/' } as const
const preview = { view: 'link-page', route: '/s/{id}+' } as const

const sent = (name: `link/${string}`, shows: string, fields: Fields): State => ({
  ...form,
  name,
  shows,
  show: async (stage) => {
    const home = homePage(stage.page)
    await stage.open(home.path('link'))
    await home.create('link', { ...exampleLink, ...fields })
    await home.answered('link')
  },
})

const previewOf = async ({ client, open }: Stage, url: string, fields: object = {}, visits = 0) => {
  const { shortendUrl = '' } = await client.link(url, fields)
  for (let visit = 0; visit < visits; visit++) await client.get(shortendUrl, { Accept: 'text/html' })
  await open(`${shortendUrl}+`)
}

/** Short links: the form, and the page that shows where one goes. */
export const linkStates: readonly State[] = [
  {
    ...form,
    name: 'link/empty',
    shows: 'Nothing typed yet',
    show: ({ page, open }) => open(homePage(page).path('link')),
  },
  sent('link/created', 'A short link was created', {}),
  sent('link/created-limited', 'A short link for five visits was created', { maxVisits: '5' }),
  sent('link/error-address', 'The address is not one', { url: 'not an address' }),
  sent('link/error-key', 'The API key is not valid', { key: 'sc_wrong' }),
  {
    ...preview,
    name: 'preview/new',
    shows: 'Nobody followed it yet',
    show: (stage) => previewOf(stage, 'https://example.org/a?b=c#d'),
  },
  {
    ...preview,
    name: 'preview/long',
    shows: 'A long address, followed twice, with an expiry',
    show: (stage) =>
      previewOf(stage, `https://xn--mnchen-3ya.example/${'a-long-path/'.repeat(30)}`, { expiresIn: '2h' }, 2),
  },
]

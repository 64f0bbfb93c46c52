import { homePage } from '../../../test/support/page-objects/home.ts'
import { maskPanel } from '../../../test/support/page-objects/masking.ts'
import { createValues } from '../../mask/values.ts'
import { type Show, statesOf } from '../state.ts'

const needsScript = true as const

/** A log and settings as people paste them; the keys are random. */
const { of } = createValues(21)
const settings = `# settings of the shop
DB_HOST=10.20.4.17
DB_PASSWORD=orange-window-42
AWS_ACCESS_KEY_ID=AKIA${of('base32', 15)}7
GITHUB_TOKEN=ghp_${of('alnum', 36)}
`
const log = `11:02:07 listening on 10.20.4.17:8080
11:02:09 GET /orders 200 from 192.168.7.31
11:02:12 mail to ines.kaya@corp-lab.com failed: relay 10.20.4.18 refused it
  File "/home/ines/shop/mail.py", line 42, in send
11:02:13 device 3c:4f:1a:90:0b:7e left
`

const types =
  (text: string): Show =>
  async ({ page, open }) => {
    await open('/')
    await homePage(page).fill('paste', { text, title: 'shop.log' })
    await maskPanel(page).found.waitFor()
  }

const masks =
  (text: string): Show =>
  async (stage) => {
    await types(text)(stage)
    await maskPanel(stage.page).maskAll()
  }

const home = statesOf('home', 'home-page', '/')
/** The form with a text that looks secret, and after it was masked. */
export const maskStates = [
  home('secret', 'The text looks secret', types(settings + log), { needsScript }),
  home('personal', 'The text has addresses and names, nothing secret', types(log), { needsScript }),
  home('masked', 'Everything was masked', masks(settings + log), { needsScript }),
  home(
    'masked-partly',
    'Two of the masked values were taken back',
    async (stage) => {
      await masks(settings + log)(stage)
      const panel = maskPanel(stage.page)
      await panel.takeBack('<ip-1>')
      await panel.takeBack('<user-1>')
    },
    { needsScript },
  ),
]

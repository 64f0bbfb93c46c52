import type { Page } from 'playwright-core'
import { type Show, type Stage, statesOf } from '../state.ts'

const admin = statesOf('admin', 'admin-page', '/admin')
const needs = { needsScript: true, isLong: true } as const

const until = (page: Page, name: string) => page.getByRole('button', { name }).waitFor()

/** The page for a browser that keeps the key of the owner, of a server with 303 items. */
const opensWithKey =
  (act: (stage: Stage) => Promise<unknown> = async () => {}): Show =>
  async (stage) => {
    await stage.owner(3)
    await stage.owner(300)
    await stage.keep({ key: await stage.admin(), 'key-name': 'admin' })
    await stage.open('/admin')
    await until(stage.page, 'Show 50 more')
    await act(stage)
  }

const select = async ({ page }: Stage) => {
  for (const at of [0, 1, 2]) await page.locator('.item-list input').nth(at).check()
}

/** The owner's page: what it says without an admin key, and what an admin key sees. */
export const ownerStates = [
  admin('no-key', 'Asks for an admin key', ({ open }) => open('/admin')),
  admin(
    'other-key',
    'The kept key is not an admin key',
    async ({ keep, owner, open, page }) => {
      await keep({ key: await owner(3) })
      await open('/admin')
      await page.getByText('is not an admin key').waitFor()
    },
    { needsScript: true },
  ),
  admin('everything', 'Figures and items of all keys', opensWithKey(), needs),
  admin('selected', 'Three items are selected', opensWithKey(select), needs),
  admin(
    'confirm',
    'Asks before it deletes',
    opensWithKey(async (stage) => {
      await select(stage)
      await stage.page.locator('#delete-selected').click()
    }),
    { needsScript: true },
  ),
]

import { AdminPage } from '../../../views/admin-page.tsx'
import { page } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'

/** `GET /admin`: the same empty page for everybody; its script asks for what it shows, with the key of the browser. */
export const createAdmin =
  ({ siteAt }: { siteAt: SiteAt }) =>
  () =>
    page(AdminPage({ site: siteAt('./') }) as string)

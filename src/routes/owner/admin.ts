import { AdminPage } from '../../../views/admin-page.tsx'
import { page } from '../../http/answers/respond.ts'
import { ownerSiteAt } from '../../http/assets.ts'

/** `GET /admin`: the same empty page for everybody; its script asks for what it shows, with the key of the browser. */
export const showAdmin = () => page(AdminPage({ site: ownerSiteAt('./') }) as string)

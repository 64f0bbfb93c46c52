import { createAssets } from '../../src/http/assets.ts'

/** The assets of a server without a look of its own. */
export const plainAssets = createAssets({ name: undefined, accent: undefined, footer: undefined })

export const { siteAt } = plainAssets

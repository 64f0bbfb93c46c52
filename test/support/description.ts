import { type AppParts, createApp } from '../../src/app.ts'
import { createPools } from '../../src/http/memory.ts'
import { createAddresses } from '../../src/http/origin.ts'
import { describeRoutes } from '../../src/routes/site/description.ts'
import { protocolNames } from '../../src/settings/values.ts'
import { plainAssets } from './site.ts'

const parts: Partial<AppParts> = {
  cacheBytes: 1,
  protocols: new Set(protocolNames),
  pools: createPools(),
  servedAt: [undefined, undefined],
  around: (fetch) => fetch,
  ...plainAssets,
}

/** The routes of an app that answers nothing. */
export const appRoutes = () => createApp(parts as AppParts).routes

/** The description that a server at these addresses gives of itself. */
export const describeAt = (publicUrl = 'http://nas', baseUrl = publicUrl) =>
  describeRoutes(appRoutes(), createAddresses(publicUrl, baseUrl, baseUrl))

import { anewEachRound, type Figure } from '../bench.ts'
import { startProduct } from '../product.ts'
import { inTurns } from '../rounds.ts'
import { prepareRuns, turnMs } from './exchange.ts'
import { preparePage, startBareWith } from './hot.ts'

/** What must be known of a request for a page: its host, what it takes and has, and who asks. */
const reads = ['host', 'accept', 'accept-encoding', 'user-agent', 'if-none-match']

/** What the runtime itself takes for reading a request, which every server pays that reads one. */
export const requestHeadersFigure: Figure = {
  name: 'ready/request-headers',
  what: 'a bare server that reads the five request headers a page depends on, against one that reads none',
  unit: 'req/s',
  sides: ['reading', 'reading none'],
  open: anewEachRound(async (bench) => {
    const product = await startProduct(bench)
    const asks = await preparePage(product, bench)
    const prepareBare = async (how: Parameters<typeof startBareWith>[0]) => {
      const server = await startBareWith({ isReady: true, ...how })(product, asks)
      bench.defer(server.stop)
      return prepareRuns(server, asks, bench)
    }
    const runs = { product: await prepareBare({ reads }), limit: await prepareBare({}) }
    return { round: inTurns(runs, turnMs) }
  }),
}

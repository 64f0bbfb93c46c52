/** What wrk measured. */
export type Measured = {
  requests: number
  requestsPerSecond: number
  p99Milliseconds: number
}

type Line = {
  requests: number
  microseconds: number
  p99: number
  errors: Record<string, number>
}

const refusals = 'status above 399'

/** What wrk prints before its first request. */
export const readyLine = 'ready'

/** Prints that, and what wrk knows as one line of JSON: its own report rounds, and says `12.34k`. */
export const reports = `
function init()
  io.write("${readyLine}\\n")
  io.flush()
end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p99":%d,"errors":{"connect":%d,"read":%d,"write":%d,"timeout":%d,"${refusals}":%d}}\\n',
    summary.requests, summary.duration, latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.timeout, errors.status))
end
`

/** A few of the last requests may be all of one kind. */
const slack = 100

/**
 * @param errorShare which part of the requests asks for what must be refused, such as an unknown id
 * @throws for output without figures, and for answers or connections that failed: their speed means nothing
 */
export const parseWrkOutput = (output: string, errorShare = 0): Measured => {
  const line = /^\{"requests".*\}$/m.exec(output)?.[0]
  if (line === undefined) throw new Error(`wrk printed no figures: ${output.trim()}`)
  const { requests, microseconds, p99, errors } = JSON.parse(line) as Line
  const allowed = errorShare === 0 ? 0 : errorShare * requests + slack
  const failed = Object.entries(errors).filter(([kind, count]) => count > (kind === refusals ? allowed : 0))
  if (failed.length)
    throw new Error(`wrk met errors: ${failed.map(([kind, count]) => `${count} × ${kind}`).join(', ')}`)
  if (requests === 0 || microseconds === 0) throw new Error('wrk got no answer')
  return {
    requests,
    requestsPerSecond: requests / (microseconds / 1e6),
    p99Milliseconds: p99 / 1000,
  }
}

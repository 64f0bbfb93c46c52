import type { Ask } from './wrk.ts'

/** JSON's strings are Lua's, but for `\uXXXX`, which printable ASCII and line ends do not need. */
const luaString = (text: string) => JSON.stringify(text)

/** wrk then makes the request once: nothing is run per request. */
export const scriptForOne = ({ method = 'GET', headers = {}, body }: Ask) =>
  [
    `wrk.method = ${luaString(method)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${luaString(body)}`]),
  ].join('\n')

export const requestText = (host: string, { method = 'GET', path, headers = {}, body }: Ask) => {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** One after the other, and from the start again. They are in a file of their own: a Lua function holds no 60,000 strings. */
export const scriptForMany = (file: string, start: number) => `
local requests, at = {}, ${start}
for request in io.open(${luaString(file)}, "rb"):read("*a"):gmatch("[^%z]+") do
  requests[#requests + 1] = request
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`

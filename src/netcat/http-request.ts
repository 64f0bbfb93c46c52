const lineFeed = 0x0a

// Split in two, because a line may be as long as the largest paste.
const method = /^(?:CONNECT |[a-z]{3,32} (?:\/|\*|https?:))/i
const version = / HTTP\/\d(\.\d)?\r?$/

const textOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/**
 * True for a text that begins as an HTTP request does. Any page on the web can make a browser send one here, with a body
 * that the page chose, so it must never become a paste.
 */
const isHttpRequest = (text: Uint8Array) => {
  const end = text.indexOf(lineFeed)
  const line = text.subarray(0, end < 0 ? text.length : end)
  return method.test(textOf(line.subarray(0, 65))) && version.test(textOf(line.subarray(-12)))
}

/** Looks for a request of HTTP in what arrives. @param text all that has arrived */
export const createHttpDetection = (text: () => Uint8Array) => {
  let isDecided = false
  return {
    /** Called for what has just arrived: says so as soon as the first line is there. */
    isHttp: (bytes: Uint8Array) => {
      if (isDecided || !bytes.includes(lineFeed)) return false
      isDecided = true
      return isHttpRequest(text())
    },
    /** For a text whose first line has no end. */
    isHttpAtEnd: () => !isDecided && isHttpRequest(text()),
  }
}

/** What a browser shows as a page with this line. */
export const httpAnswer = (line: string) =>
  [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(line) + 1}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    `${line}\n`,
  ].join('\r\n')

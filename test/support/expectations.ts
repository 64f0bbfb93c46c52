import { expect } from 'bun:test'

/** The error body for programs, with this status. @returns what it says */
export const expectError = async (response: Response, status: number, says = /\S/): Promise<string> => {
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  const body = (await response.json()) as { error: string }
  expect(body).toEqual({ success: false, error: expect.stringMatching(says) } as never)
  return body.error
}

/** A page for browsers, with this status. @returns its HTML */
export const expectPage = async (response: Response, status = 200): Promise<string> => {
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  const html = await response.text()
  expect(html).toStartWith('<!doctype html>')
  return html
}

/** What a browser sends when somebody opens an address. */
export const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

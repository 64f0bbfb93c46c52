import { join } from 'node:path'
import type { Answer } from '../answers.ts'

/** What nginx writes by itself; it names no charset in a redirect, and two headers it cannot leave out. */
export const ownHeaders = ['content-length', 'content-type', 'connection', 'server']

const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/**
 * One worker that answers `return 302` with the headers of the product, from a folder of its own. The short note
 * below the redirect is nginx's own.
 */
export const nginxConfig = (folder: string, port: number, { headers }: Answer) => {
  const { location = '', ...others } = headers
  const added = Object.entries(others)
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]) => `add_header ${name} ${quoted(value)};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${quoted(join(folder, kind))};`,
  )
  return `
daemon off;
worker_processes 1;
pid ${quoted(join(folder, 'pid'))};
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  server_tokens off;
  keepalive_requests 1000000000;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${added.join('\n    ')}
    location / { return 302 ${quoted(location)}; }
  }
}
`
}

import type { Beginning } from './beginning.ts'

const directives =
  'server|location|listen|server_name|upstream|http|events|proxy_pass|proxy_set_header|proxy_\\w{3,40}|fastcgi_\\w{3,40}|' +
  'uwsgi_\\w{3,40}|scgi_\\w{3,40}|ssl_\\w{3,40}|try_files|worker_processes|worker_connections|access_log|error_log|rewrite|' +
  'add_header|gzip|gzip_\\w{3,40}|sendfile|keepalive_timeout|client_max_body_size|default_type|autoindex|limit_req\\w{0,40}'

const isDirective = (line: string) => isKnown.test(line)
const isKnown = new RegExp(`^\\s*(?:${directives})\\s[^=]*[;{]\\s*(?:#.*)?$`)
const isComment = (line: string) => /^\s*#/.test(line)
/** Any other directive, the end of a block, or the end of a directive that has several lines. */
const isStatement = (line: string) => /^\s*(?:[a-z_]+\s[^=]*[;{]|\}|[^={}]*;)\s*(?:#.*)?$/.test(line)

/** A configuration of nginx, or a part of one: directives that end with `;` or open a block. */
export const languageOfNginx = ({ lines }: Beginning) => {
  const own = lines.filter((line) => !isComment(line))
  const known = own.filter(isDirective).length
  if (known < 2 || known < 0.3 * own.length) return
  return own.filter((line) => isDirective(line) || isStatement(line)).length >= 0.9 * own.length
    ? 'nginx'
    : undefined
}

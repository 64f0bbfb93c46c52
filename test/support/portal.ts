/** Headers that the proxy must send, or the portal cannot know what is asked for. */
const needed: Readonly<Record<string, readonly string[]>> = {
  '/api/authz/auth-request': ['X-Original-URL', 'X-Original-Method'],
  '/api/authz/forward-auth': [
    'X-Forwarded-Method',
    'X-Forwarded-Proto',
    'X-Forwarded-Host',
    'X-Forwarded-Uri',
  ],
  '/outpost.goauthentik.io/auth/nginx': ['X-Original-URL'],
  '/outpost.goauthentik.io/auth/caddy': ['X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Forwarded-Uri'],
}

/** nginx takes 401 for "nobody", and follows no redirect; Caddy passes the answer on. */
const refusals: Readonly<Record<string, number>> = {
  '/api/authz/auth-request': 401,
  '/api/authz/forward-auth': 302,
  '/outpost.goauthentik.io/auth/nginx': 401,
  '/outpost.goauthentik.io/auth/caddy': 302,
}

export const loginPage = 'https://auth.example.org/'

/**
 * Answers as Authelia and authentik do when a proxy asks who somebody is. The cookie `session` holds the name; with an empty
 * one, everybody is let in without a name, as by a rule `bypass`.
 */
export const startPortal = () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url, headers }) => {
      const { pathname } = new URL(url)
      if (pathname.startsWith('/outpost.goauthentik.io/start')) return new Response('login page')
      if (!needed[pathname]?.every((name) => headers.get(name))) return new Response(null, { status: 400 })
      const [, name] = /\bsession=(\w*)/.exec(headers.get('cookie') ?? '') ?? []
      if (name === undefined)
        return new Response(null, { status: refusals[pathname] ?? 500, headers: { Location: loginPage } })
      const header = pathname.startsWith('/api/') ? 'Remote-User' : 'X-authentik-username'
      return new Response(null, name === '' ? {} : { headers: { [header]: name } })
    },
  })
  return { host: `127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

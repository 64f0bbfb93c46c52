import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployFile, hasNginx, startNginx } from './nginx.ts'
import { startProgram, temporaryFolder } from './process.ts'
import { requireProgram } from './programs.ts'

const hasOpenssl = requireProgram('openssl', 'openssl')
/** Whether Caddy is there, and what makes its certificate. */
export const hasCaddy = requireProgram('caddy', 'caddy') && hasOpenssl

/** Whether the Caddy that is there is of this version or a newer one. */
export const isCaddySince = (version: string) => {
  const [found = ''] = /\d+\.\d+\.\d+/.exec(String(Bun.spawnSync(['caddy', 'version']).stdout)) ?? []
  return Bun.semver.satisfies(found, `>=${version}`)
}

/** The name that the examples of deploy/ have. */
export const siteName = 'paste.example.org'

/** A certificate that signs itself. */
export const makeCertificate = (folder: string, name = siteName) => {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`]
  const command = ['openssl', 'req', ...kind, '-addext', `subjectAltName=DNS:${name}`]
  const { exitCode } = Bun.spawnSync([...command, '-keyout', key, '-out', certificate], { stderr: 'ignore' })
  if (exitCode !== 0) throw new Error('openssl made no certificate')
  return { certificate, key }
}

export type ProxyParts = {
  /** Port of the proxy with TLS. */
  tls: number
  /** Its port without. */
  plain: number
  /** Address of our server. */
  server: string
  /** Changes what the example says. */
  edit?: (example: string) => string
}

/** The example for nginx, on ports of this test. */
const startNginxExample = ({ tls, plain, server, edit = (text) => text }: ProxyParts) => {
  const { certificate, key } = makeCertificate(temporaryFolder())
  return startNginx(
    edit(deployFile('nginx.conf'))
      .replace('server 127.0.0.1:8080;', `server ${new URL(server).host};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${tls} ssl`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll(/listen \[::\].*/g, '')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`),
  )
}

/** A site of Caddy, on ports of this test; it keeps everything in a folder of the test. */
export const startCaddy = (site: string, { tls, plain }: Pick<ProxyParts, 'tls' | 'plain'>) => {
  const folder = temporaryFolder()
  const { certificate, key } = makeCertificate(folder)
  const file = join(folder, 'Caddyfile')
  const own = ['admin off', `https_port ${tls}`, `http_port ${plain}`, 'default_bind 127.0.0.1']
  const signed = site.replace(`${siteName} {`, `${siteName} {\n\ttls ${certificate} ${key}`)
  writeFileSync(file, `{\n\t${own.join('\n\t')}\n}\n${signed}`)
  const command = ['env', `HOME=${folder}`, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile']
  return startProgram(command, /serving initial configuration/)
}

/** The example for Caddy. */
const startCaddyExample = ({ server, edit = (text) => text, ...ports }: ProxyParts) =>
  startCaddy(edit(deployFile('Caddyfile')).replace('127.0.0.1:8080', new URL(server).host), ports)

/** The proxies whose examples are run: their name, whether they are here, and how they start. */
export const proxies = [
  ['nginx', hasNginx && hasOpenssl, startNginxExample],
  ['Caddy', hasCaddy, startCaddyExample],
] as const

type Init = RequestInit & { headers?: Record<string, string> }

/** Asks a proxy by the name of the examples, over TLS. */
export const askProxy =
  (tls: number) =>
  (path: string, { headers = {}, ...init }: Init = {}) =>
    fetch(`https://127.0.0.1:${tls}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { Host: `${siteName}:${tls}`, ...headers },
      tls: { rejectUnauthorized: false, serverName: siteName },
    } as RequestInit)

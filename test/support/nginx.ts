import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, startProgram, temporaryFolder } from './process.ts'
import { isRoot, requireProgram } from './programs.ts'

export const hasNginx = requireProgram('nginx', 'nginx-light')

export const deployFile = (name: string) => readFileSync(join(repository, 'deploy', name), 'utf8')

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** Starts an nginx that knows only these server blocks. */
export const startNginx = (servers: string) => {
  const folder = temporaryFolder()
  const file = join(folder, 'nginx.conf')
  const paths = temporaryPaths.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')
  const user = isRoot ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} worker_processes 1; daemon off; pid ${join(folder, 'pid')}; error_log stderr notice;
     events {}
     http { access_log off; ${paths}
     ${servers} }`,
  )
  return startProgram(['nginx', '-p', folder, '-c', file], /start worker process \d/)
}

/** The example for a sub-path, for another prefix and server; `isStripping`: with the slash that takes the prefix off. */
export const subPathConfig = (port: number, prefix: string, server: string, isStripping: boolean) => {
  const locations = deployFile('nginx-sub-path.conf')
    .replaceAll(/(?<=location (?:= )?|return 308 )\/paste/g, prefix)
    .replace('http://127.0.0.1:8080;', `${server}${isStripping ? '/' : ''};`)
  return `server { listen 127.0.0.1:${port}; ${locations} }`
}

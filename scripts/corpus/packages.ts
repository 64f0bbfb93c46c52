/** A registry, by the client that asks it. */
export type Registry = 'deb' | 'source' | 'npm' | 'pip' | 'crate' | 'go'
export type Package = { registry: Registry; name: string; version: string; isHeldOut: boolean }

/** `name@version`; a star marks a package that only measures the detection and never teaches it. */
const lists: Readonly<Record<Registry, string>> = {
  /** Binary packages of Debian 12. */
  deb: `asciidoctor@2.0.18-2 awesome@4.3-7 bacula-director-pgsql@9.6.7-7 cups-daemon@2.4.2-3+deb12u9*
    dbconfig-common@2.0.24* icingaweb2@2.11.4-2+deb12u1* jekyll@4.3.1+dfsg-3+deb12u1* libperl5.36@5.36.0-7+deb12u4*
    lighttpd@1.4.69-1 lua-busted@2.1.1-1 lua-penlight@1.13.1-3* mariadb-server@1:10.11.19-0+deb12u1
    mediawiki@1:1.39.17-1+deb12u2 nginx-common@1.22.1-9+deb12u11* nginx-doc@1.22.1-9+deb12u11*
    pdns-backend-pgsql@4.7.3-2* perl-modules-5.36@5.36.0-7+deb12u4 php8.2-common@8.2.36-1~deb12u1
    postfix@3.7.11-0+deb12u1 postgresql-15-pgtap@1.2.0-3* postgresql-15@15.20-0+deb12u1
    prosody@0.12.3-1+deb12u1 pulseaudio@16.1+dfsg1-2+b1* puppet-agent@7.23.0-1+deb12u1 rake@13.0.6-3*
    roundcube-core@1.6.5+dfsg-1+deb12u13 ruby-activerecord@2:6.1.7.10+dfsg-1~deb12u3 ruby-haml@6.1.1-1+b1*
    ruby-mail@2.7.1+dfsg1-2 ruby-nokogiri@1.13.10+dfsg-2+b1 ruby-rack@2.2.22-0+deb12u2*
    ruby-railties@2:6.1.7.10+dfsg-1~deb12u3 ruby-rouge@3.30.0-2 ruby-sequel@5.63.0-1* ruby-sinatra@3.0.5-3+deb12u1*
    samba-common@2:4.17.12+dfsg-0+deb12u4 sogo@5.8.0-2+deb12u4 sqlite3-doc@3.40.1-2+deb12u2
    supervisor@4.2.5-1* vagrant@2.3.4+dfsg-1+deb12u1 wireplumber@0.4.13-1*`,
  /** Sources of Debian 12, which have tests and examples, and the patches that Debian adds. */
  source: `bluez@5.66-1+deb12u2* catch2@2.13.10-1 cloud-init@22.4.2-1+deb12u4 composer@2.5.5-1+deb12u5*
    curl@7.88.1-10+deb12u15 dracut@059-4* fmtlib@9.1.0+ds1-2 git@1:2.39.5-0+deb12u3 golang-github-containers-buildah@1.28.2+ds1-3+deb12u1
    golang-github-gorilla-mux@1.8.0-1* golang-github-spf13-cobra@1.6.1-1* golang-logrus@1.9.0-1* golang-toml@1.2.0-2
    icinga2@2.13.6-2+deb12u2 jsoup@1.15.3-1* junit4@4.13.2-3 leveldb@1.23-4* libcommons-lang3-java@3.12.0-2+deb12u1
    luarocks@3.8.0+dfsg1-1 mbedtls@2.28.3-1* network-manager@1.42.4-1+deb12u1 nix@2.8.0-1.1 php-monolog@2.9.1-1
    phpunit@9.6.7-1+deb12u1 python-cryptography@38.0.4-3+deb12u1* re2@20220601+dfsg-1* redis@5:7.0.15-1~deb12u10*
    rust-clap@4.0.32-1 rust-ripgrep@13.0.0-4* systemd@252.39-1~deb12u2 tmux@3.3a-3
    udisks2@2.9.4-4+deb12u2 zabbix@1:6.0.14+dfsg-1`,
  npm: `@docusaurus/core@3.10.2 @nestjs/common@12.5.1 @reduxjs/toolkit@2.14.0 @tanstack/query-core@5.108.0*
    @types/node@26.6.6 ajv@8.20.0* bootstrap@5.3.9 bulma@1.0.4* chart.js@4.6.1 date-fns@4.4.0* docsify@5.0.0
    eslint@10.15.0 express@5.3.0* foundation-sites@6.9.0* highlight.js@11.12.0 hono@4.13.19 jquery@4.0.0* @lando/nginx@1.6.0 lodash@4.18.1
    mocha@12.0.3* normalize.css@8.0.1 nx@24.0.6 react-native-gesture-handler@3.5.0* react-native-screens@4.30.1
    react-native-svg@15.16.1 rxjs@7.8.2 three@0.187.0 vega-datasets@3.2.1 vue@3.5.45 webpack@5.112.2* zod@4.6.7*`,
  pip: `agate@1.14.2 ansible_lint@26.10.1 certbot_nginx@5.8.0 csvkit@2.2.0* detect_secrets@1.5.0*
    drain3@0.9.11 gixy@0.1.21 logparser3@1.0.4 nginx-set-conf@1.19.7 requests@2.34.2* sqlfluff@4.5.0 sqlglot@30.30.0* tomlkit@0.15.2`,
  crate: `alejandra@3.1.0* full_moon@3.0.0 icu_collections@2.4.0 nixpkgs-fmt@1.3.0 regex@1.13.2 similar@2.7.0*
    sqlparser@0.64.0 statix@4.8.3 stylua@2.6.0 taplo@0.14.0* time@0.3.55 tiny_http@0.11.0* winnow@0.7.15`,
  go: `github.com/BurntSushi/toml@v1.6.0* github.com/gohugoio/hugo@v0.169.0 github.com/moby/buildkit@v0.34.2
    github.com/openshift/imagebuilder@v1.2.22* github.com/prometheus/prometheus@v0.316.0
    github.com/yuin/gopher-lua@v1.1.2`,
}

const packageOf = (registry: Registry, text: string): Package => {
  const isHeldOut = text.endsWith('*')
  const at = text.lastIndexOf('@')
  return {
    registry,
    name: text.slice(0, at),
    version: text.slice(at + 1, isHeldOut ? -1 : undefined),
    isHeldOut,
  }
}

/** Every package of the corpus, pinned. */
export const packages: readonly Package[] = (Object.keys(lists) as Registry[]).flatMap((registry) =>
  lists[registry].split(/\s+/).map((text) => packageOf(registry, text)),
)

/** Its name in `dist/corpus` and in error messages. */
export const keyOf = ({ registry, name, version }: Package) => `${registry}:${name}@${version}`

/**
 * SHA-256 of the list of files that `listFiles` takes from them, a line each: package, path, language and hash. The model
 * and the figures of docs/detection.md come from these.
 */
export const checksum = '32fd711625a6ff7b37eb23bcbcc4bda2af220254709064cdd9ff12cdb8fce3c8'

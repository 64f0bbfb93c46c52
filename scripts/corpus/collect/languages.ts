import { basename } from 'node:path'

/** shiki language id → endings that mean it for certain in the packages of the corpus. */
const endings: Readonly<Record<string, string>> = {
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  css: 'css',
  csv: 'csv',
  diff: 'diff patch',
  go: 'go',
  html: 'html htm',
  ini: 'ini cfg desktop editorconfig gitmodules coveragerc pylintrc flake8',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json',
  jsonl: 'jsonl ndjson',
  kotlin: 'kt',
  less: 'less',
  lua: 'lua',
  make: 'mk',
  markdown: 'md markdown',
  nix: 'nix',
  'objective-c': 'm mm',
  pem: 'pem',
  perl: 'pl pm',
  php: 'php',
  python: 'py pyi',
  rst: 'rst',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  scss: 'scss',
  shellscript: 'sh bash',
  sql: 'sql',
  systemd: 'service timer socket mount path target slice',
  text: 'txt',
  toml: 'toml',
  tsv: 'tsv',
  typescript: 'ts mts cts',
  xml: 'xml svg xsd',
  yaml: 'yaml yml',
}
const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(' ').map((ending) => [ending, language] as const),
  ),
)
const byName = new Map([
  ...['Makefile', 'GNUmakefile', 'makefile', 'Makefile.am'].map((name) => [name, 'make'] as const),
  ...['Rakefile', 'Gemfile'].map((name) => [name, 'ruby'] as const),
  ...['LICENSE', 'COPYING', 'AUTHORS', 'NEWS', 'THANKS', 'INSTALL', 'TODO'].map(
    (name) => [name, 'text'] as const,
  ),
])

const isNginx = (path: string) =>
  /nginx|gixy/.test(path) && /\.conf$|\/sites-(?:available|enabled)\/[\w.-]+$/.test(path)

/**
 * The language of a file for certain, by its name alone; unset for any other file.
 * @param path with the name of the package
 */
export const trueLanguage = (path: string) => {
  const name = basename(path)
  // A patch may be named after the file that it changes.
  if (path.includes('debian/patches/')) return 'diff'
  if (isNginx(path)) return 'nginx'
  // What D-Bus starts, which is no unit.
  if (/^(?:org|com|net|fi)\.[\w.]+\.service$/.test(name)) return 'ini'
  const ending = /\.([^.]+)$/.exec(name)?.[1] ?? ''
  // `Dockerfile.mount` is no unit, but `Dockerfile.test.ts` is no Dockerfile.
  if (/^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$|\.dockerfile$/.test(name)) return 'docker'
  return byName.get(name) ?? byEnding.get(ending)
}

/** shiki language id → file endings, the usual one first. Logs, diffs and programs are called `.txt` too, so it says nothing. */
export const endings: Readonly<Record<string, string>> = {
  ada: 'adb ads',
  apache: 'htaccess',
  asm: 'asm s',
  astro: 'astro',
  awk: 'awk',
  bat: 'bat cmd',
  c: 'c h',
  clojure: 'clj cljs edn',
  cmake: 'cmake',
  cobol: 'cob cbl',
  coffee: 'coffee',
  'common-lisp': 'lisp',
  cpp: 'cpp cc cxx hpp hh',
  crystal: 'cr',
  csharp: 'cs',
  css: 'css',
  csv: 'csv',
  d: 'd',
  dart: 'dart',
  diff: 'diff patch',
  docker: 'dockerfile',
  dotenv: 'env',
  elixir: 'ex exs',
  elm: 'elm',
  erlang: 'erl',
  fish: 'fish',
  'fortran-free-form': 'f90',
  fsharp: 'fs fsx',
  gdscript: 'gd',
  gleam: 'gleam',
  glsl: 'glsl vert frag',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'hs',
  hcl: 'hcl',
  html: 'html htm',
  http: 'http',
  ini: 'ini cfg conf',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json',
  json5: 'json5',
  jsonc: 'jsonc code-workspace',
  jsonl: 'jsonl ndjson',
  jsx: 'jsx',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex sty',
  less: 'less',
  log: 'log',
  lua: 'lua',
  make: 'mk',
  markdown: 'md markdown',
  matlab: 'matlab',
  mdx: 'mdx',
  nginx: 'nginx',
  nim: 'nim',
  nix: 'nix',
  'objective-c': 'm mm',
  ocaml: 'ml mli',
  pascal: 'pas pp',
  perl: 'pl pm',
  php: 'php',
  postcss: 'pcss',
  powershell: 'ps1 psm1',
  prisma: 'prisma',
  prolog: 'pro',
  proto: 'proto',
  pug: 'pug',
  puppet: 'puppet',
  purescript: 'purs',
  python: 'py pyw pyi',
  r: 'r R',
  racket: 'rkt',
  raku: 'raku',
  reg: 'reg',
  rst: 'rst',
  ruby: 'rb',
  rust: 'rs',
  sass: 'sass',
  scala: 'scala sbt',
  scheme: 'scm',
  scss: 'scss',
  shellscript: 'sh bash zsh',
  solidity: 'sol',
  sql: 'sql',
  'ssh-config': 'ssh_config',
  svelte: 'svelte',
  swift: 'swift',
  systemd: 'service timer socket',
  'system-verilog': 'sv',
  tcl: 'tcl',
  terraform: 'tf tfvars',
  toml: 'toml',
  tsv: 'tsv',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  typst: 'typ',
  vb: 'vb',
  verilog: 'v',
  vhdl: 'vhd vhdl',
  viml: 'vim',
  vue: 'vue',
  wasm: 'wat',
  wgsl: 'wgsl',
  xml: 'xml svg xsd',
  yaml: 'yaml yml',
  zig: 'zig',
}

/** shiki language id → whole file names. */
const names: Readonly<Record<string, string>> = {
  cmake: 'CMakeLists.txt',
  docker: 'Dockerfile Containerfile',
  jsonc: 'tsconfig.json jsconfig.json devcontainer.json .devcontainer.json .eslintrc.json',
  make: 'Makefile makefile',
  nginx: 'nginx.conf',
  ruby: 'Gemfile Rakefile',
}

const inverted = (table: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(table).flatMap(([language, list]) =>
      list.split(' ').map((name) => [name, language] as const),
    ),
  )
const languageByEnding = inverted(endings)
const languageByName = inverted(names)

/** True for a log with escape sequences, made for a terminal. */
const isForTerminal = (text: string) => text.includes('\x1b[')

/**
 * The language that the name of a file implies, if any.
 * @param text distinguishes a plain log from one with terminal colours
 */
export const languageOfFile = (name: string, text = ''): string | undefined => {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const ending = /\.([^.]+)$/.exec(base)?.[1] ?? ''
  const language =
    languageByName.get(base) ?? languageByEnding.get(ending) ?? languageByEnding.get(ending.toLowerCase())
  return language === 'log' && isForTerminal(text) ? 'ansi' : language
}

/** The file ending of a language; `txt` if there is no usual one. */
export const endingOf = (language: string) =>
  language === 'ansi' ? 'log' : (endings[language]?.split(' ')[0] ?? 'txt')

/** The file name for saving a paste: its title, or else its id, with the ending of the language. */
export const fileNameOf = (id: string, title: string, language: string) => {
  const ending = endingOf(language)
  const stem = title
    .normalize('NFC')
    // Cut first, because the next step also removes half a character.
    .slice(0, 80)
    .replace(/[\p{C}<>:"/\\|?*]+/gu, ' ')
    .trim()
    .replace(/[\s.]+$|^[\s.]+/g, '')
    .replace(/\s+/g, '-')
  const base = stem || id
  return languageOfFile(base) === language || base.toLowerCase().endsWith(`.${ending}`)
    ? base
    : `${base}.${ending}`
}

/** Interpreters in `#!` lines, without version, that differ from the shiki id of their language. */
const interpreters: Readonly<Record<string, string>> = {
  sh: 'shellscript',
  bash: 'shellscript',
  dash: 'shellscript',
  ksh: 'shellscript',
  zsh: 'shellscript',
  node: 'javascript',
  bun: 'typescript',
  deno: 'typescript',
  gawk: 'awk',
  tclsh: 'tcl',
  pwsh: 'powershell',
  Rscript: 'r',
  runghc: 'haskell',
}
const sameName = new Set(
  'awk elixir fish groovy julia lua make perl php python racket raku ruby scala'.split(' '),
)

/** `#!/usr/bin/python3.12 -u`, `#!/usr/bin/env -S node --test`. */
const interpreterOf = (text: string) => {
  const [, line = ''] = /^#!([^\r\n]{1,200})/.exec(text) ?? []
  const words = line.trim().split(/\s+/)
  const isEnv = words[0]?.endsWith('/env')
  const program = isEnv ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  return (
    program
      ?.split('/')
      .at(-1)
      ?.replace(/[\d.-]+$/, '') ?? ''
  )
}

const languageOfScript = (text: string) => {
  const name = interpreterOf(text)
  if (sameName.has(name)) return name
  return Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
}

/** The language of the first name (of a file, a title) with a known ending, else of the `#!` line. */
export const guessLanguage = (names: readonly string[], text: string): string | undefined => {
  for (const name of names) {
    const language = languageOfFile(name, text)
    if (language) return language
  }
  return languageOfScript(text)
}

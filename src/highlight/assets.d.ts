declare module '*.wasm' {
  /** The path of the file, also inside the executable. */
  const path: string
  // biome-ignore lint/style/noDefaultExport: this is how Bun hands over an imported file
  export default path
}

declare module '*.pack' {
  /** The path of the file, also inside the executable. */
  const path: string
  // biome-ignore lint/style/noDefaultExport: this is how Bun hands over an imported file
  export default path
}

declare module 'markdown-it-footnote' {
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default function footnotes(parser: import('markdown-it').MarkdownIt): void
}

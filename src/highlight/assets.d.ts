declare module '*.wasm' {
  /** The path of the file, also inside the executable. */
  const path: string
  // biome-ignore lint/style/noDefaultExport: this is how Bun hands over an imported file
  export default path
}

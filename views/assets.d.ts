declare module '*.css' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: this is how Bun hands over an imported text
  export default text
}
declare module '*.svg' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: this is how Bun hands over an imported text
  export default text
}

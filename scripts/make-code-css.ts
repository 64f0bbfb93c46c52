// Writes views/code.css, the two palettes of the highlighter: `bun scripts/make-code-css.ts`.
import { paletteCss } from '../src/highlight/colours/palette-css.ts'

await Bun.write(new URL('../views/code.css', import.meta.url), paletteCss())

import type { Figure } from '../bench.ts'
import { coldLink } from './cold.ts'
import { creations } from './create.ts'
import { exchangeFigure, fullFolderFigure } from './exchange.ts'
import { highlightFigure } from './highlight.ts'
import { hotReads, linkHot, linkHotNginx, readyReads } from './hot.ts'
import { listPageFigure } from './list-page.ts'
import { memoryIdleFigure } from './memory-idle.ts'
import { memoryLongFigure } from './memory-long.ts'
import { requestHeadersFigure } from './request-headers.ts'
import { startFigures } from './start.ts'
import { underHighlightFigure } from './under-highlight.ts'

/** Every figure, in the order of the table. Starts come before creations, which make the full folder fuller. */
export const figures: readonly Figure[] = [
  ...[linkHot, linkHotNginx, ...hotReads, coldLink, ...creations, ...readyReads].map(exchangeFigure),
  requestHeadersFigure,
  ...startFigures,
  ...[linkHot, ...hotReads, coldLink, ...creations].map(fullFolderFigure),
  listPageFigure,
  highlightFigure,
  underHighlightFigure,
  memoryIdleFigure,
  memoryLongFigure,
]

import { enableCopyButtons } from './copy.ts'
import { enhance } from './enhance.ts'

enhance()
enableCopyButtons()

import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** Marks a folder that only copies are written to. A server that starts there removes it. */
export const standbyName = 'standby'

/** A server serves this folder from now on, so a copy over it would lose what it acknowledges. */
export const endStandby = (folder: string) => rmSync(join(folder, standbyName), { force: true })

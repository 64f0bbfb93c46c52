import { version } from '../../package.json' with { type: 'json' }
import { ownCommit } from './server/commit.ts' with { type: 'macro' }

/** The output of `--version`. */
export const versionLine = () => `shortcrust ${version} (commit ${ownCommit()}, Bun ${Bun.version})`

import { keyOf } from './lock-file.ts'

/** What `bun build --metafile` writes, as far as it is needed. */
export type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }

/** The entries of the lock file of which at least one byte is in the executable. */
export const shippedKeys = ({ outputs }: Metafile): ReadonlySet<string> => {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
  return new Set(paths.filter((path) => path.includes('node_modules/')).map(keyOf))
}

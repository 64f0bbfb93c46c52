import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { repository } from './process.ts'

const schemaOf = (name: string) => {
  const path = `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`
  return JSON.parse(readFileSync(join(repository, path), 'utf8'))
}

/** CycloneDX's own schema; the formats that ajv-formats lacks are of fields that no SBOM of ours has. */
export const createSbomValidator = () => {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { 'iri-reference': true, 'idn-email': true },
  })
  addFormats(ajv)
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  return ajv.compile(schemaOf('bom-1.6'))
}

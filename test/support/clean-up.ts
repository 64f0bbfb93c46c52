import { afterAll } from 'bun:test'
import { cleanUp } from './process.ts'

afterAll(cleanUp)

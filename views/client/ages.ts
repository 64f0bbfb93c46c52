import { showAges } from './age.ts'

showAges()

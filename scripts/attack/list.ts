import type { Attack } from './attack.ts'
import { changeAttacks } from './attacks/changes.ts'
import { floods } from './attacks/floods.ts'
import { formAttacks } from './attacks/forms.ts'
import { heldAttacks } from './attacks/held.ts'
import { highlightingAttacks } from './attacks/highlighting.ts'
import { listAttacks } from './attacks/lists.ts'
import { netcatAttacks } from './attacks/netcat.ts'
import { oneByOne } from './attacks/one-by-one.ts'
import { patientAttacks } from './attacks/patient.ts'
import { readerAttacks } from './attacks/readers.ts'
import { viewAttacks } from './attacks/views.ts'

/** Nobody attacks: what the machine alone makes of the figures. */
const nothing: Attack = {
  name: 'nothing',
  what: 'nobody asks for anything',
  senders: 0,
  limits: {},
  send: ({ hold }) => hold(),
}

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  nothing,
  ...formAttacks,
  ...heldAttacks,
  ...listAttacks,
  ...readerAttacks,
  ...changeAttacks,
  ...highlightingAttacks,
  ...viewAttacks,
  ...oneByOne,
  ...floods,
  ...netcatAttacks,
  ...patientAttacks,
]

/** One of each kind, for every push: what a change of the server breaks first. */
export const shortest: readonly string[] = [
  'many-less-than/100',
  'held-form/100',
  'lists-of-long-titles',
  'slow-page/60',
  'change-without-key/100',
  'one-fresh-paste/8',
  'log/8',
  'fields-21/100',
  'unknown-languages/100',
  'netcat-many/1000',
  'slow-headers/1000',
]

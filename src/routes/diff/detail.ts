import { type Errors, pasteErrors } from '../../describe/errors.ts'
import { type Details, errorContent } from '../../describe/operation.ts'
import {
  html,
  ifNoneMatch,
  optionalQuery,
  pasteId,
  pathParameter,
  query,
  textual,
} from '../../describe/parts.ts'
import { inPath } from '../../describe/patterns.ts'

const patch = textual('text/x-diff')

const errors: Errors = {
  ...pasteErrors,
  403: 'The paste "7y84tyt5ec" burns after reading, so it cannot be compared.',
}

const otherPaste = pathParameter(
  'other',
  'Id or alias of the newer paste; with `.patch` at its end, the patch is a file to save',
  'b8s2mkt9wq',
  { pattern: inPath.compared },
)

const view = optionalQuery(
  'view',
  'How the page shows it. Any other value is 422; a browser gets the page with a notice',
  'split',
  { type: 'string', enum: ['unified', 'split'] },
)

export const diffDetails: Details = {
  comparePastes: {
    tag: 'Reading',
    summary: 'Compare two pastes',
    description:
      'Line by line: as a page for browsers, else as a unified diff that `patch` takes, empty if the texts are the same. Counts as no read. Pastes that differ too much are 422; the page says so.',
    parameters: [pasteId, otherPaste, view, ifNoneMatch],
    answers: {
      200: [
        'How they differ',
        { ...html, ...patch },
        ...(['ETag?', 'Vary', 'Content-Encoding', 'Content-Disposition?'] as const),
      ],
      503: [
        'Comparing them took too long',
        errorContent(503, 'Comparing these pastes took too long. Try again in a moment.'),
        'Retry-After',
      ],
      304: [
        'The client has it already',
        undefined,
        ...(['ETag', 'Vary', 'Content-Encoding', 'Content-Disposition?'] as const),
      ],
    },
    errors: {
      ...errors,
      422: 'These pastes differ too much to be compared line by line',
    },
  },
  askToCompare: {
    tag: 'Pages and files',
    summary: 'Ask what to compare a paste with',
    description: 'The form of this page sends `with`, which leads to the comparison.',
    parameters: [
      pasteId,
      query(
        'with',
        'Address, id or name of the other paste. Without it, a browser gets the form',
        'b8s2mkt9wq',
      ),
    ],
    answers: {
      200: ['The form', html],
      302: ['To the comparison', html, 'Location'],
    },
    errors: {
      ...errors,
      422: 'This is not the address, the id or the name of a paste. Copy the address of its page.',
    },
  },
}

import { textHeaders } from '../../http/answers.ts'
import { open, shared } from '../../http/routes.ts'
import type { Protocol } from './protocol.ts'

/** Its form is an option of ours, and the name of the field here; the key comes first, so that a long text is taken. */
const fields = { password: 'key', content: 'text', title: 'title', format: 'language', permatag: 'alias' }

/** pastebinit reads `%` as the beginning of a variable. */
const escaped = (text: string) => text.replaceAll('%', '%%')

const configuration = (baseUrl: string) => {
  const [scheme, place = ''] = baseUrl.split('://')
  const format = Object.entries(fields).map(([option, field]) => `${option} = ${field}`)
  return `# Save it as ~/.pastebin.d/shortcrust.conf, then: pastebinit -b ${place} FILE
# -t is the title, -f the language, -m the custom name, -p another key.
# Where you need no key, leave YOUR_API_KEY out.
[pastebin]
basename = ${escaped(place)}
${scheme === 'https' ? 'https = True\n' : ''}post_page = form
paste_regexp = (.*)

[format]
${format.join('\n')}

[defaults]
password = YOUR_API_KEY
format = auto
`
}

/** pastebinit sends any form that its file describes; it takes the whole answer for the address. */
export const pastebinit: Protocol = ({ postForm, origin }) => [
  shared('POST /form', 'sendProgramForm', postForm),
  open('GET /clients/pastebinit.conf', 'pastebinitFile', (context) => {
    const file = configuration(origin.addresses(context).baseUrl)
    const headers = {
      ...textHeaders,
      'Content-Disposition': 'attachment; filename="pastebinit.conf"',
    }
    return new Response(file, { headers })
  }),
]

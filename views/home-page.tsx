import { Html } from '@elysiajs/html'
import { Layout, type Site } from './layout.tsx'

export type HomePageProps = { site: Site; pasteCommand: string; linkCommand: string }

/** Says what this is and how to use it. */
export const HomePage = ({ site, pasteCommand, linkCommand }: HomePageProps) => (
  <Layout title="Shortcrust" site={site}>
    <section class="card">
      <h1>Pastes and short links</h1>
      <p>
        This server keeps text and shortens addresses. Whoever has the link can read; creating needs an API
        key from the person who runs the server.
      </p>
      <h2>Create a paste</h2>
      <pre class="command" tabindex="0">
        <code safe>{pasteCommand}</code>
      </pre>
      <h2>Shorten an address</h2>
      <pre class="command" tabindex="0">
        <code safe>{linkCommand}</code>
      </pre>
    </section>
  </Layout>
)

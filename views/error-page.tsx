import { Html } from '@elysiajs/html'
import { Layout, type Site } from './layout.tsx'

/** A link to another page: its text, and its path from the root of the site. */
export type Way = { word: string; path: string }

export type ErrorPageProps = {
  site: Site
  status: number
  /** The status in words, for example `Not found`. */
  reason: string
  message: string
  /** What a person can do about it. */
  advice: string
  /** Links to other pages, the likeliest first. */
  ways: readonly Way[]
}

export const ErrorPage = ({ site, status, reason, message, advice, ways }: ErrorPageProps) => (
  <Layout title={`${status} ${reason}`} site={site}>
    <section class="card narrow">
      <p class="status">{status}</p>
      <h1 safe>{reason}</h1>
      <p safe>{message}</p>
      <p class="quiet" safe>
        {advice}
      </p>
      <p class="ways">
        {ways.map(({ word, path }, at) => (
          <a class={at === 0 ? 'button primary' : 'button'} href={site.root + path} safe>
            {word}
          </a>
        ))}
      </p>
    </section>
  </Layout>
)

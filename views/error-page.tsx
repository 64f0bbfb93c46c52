import { Html } from '@elysiajs/html'
import { Layout, type Site } from './layout.tsx'

export type ErrorPageProps = {
  site: Site
  status: number
  /** The status in words, for example `Not Found`. */
  reason: string
  message: string
  /** What a person can do about it. */
  advice: string
}

export const ErrorPage = ({ site, status, reason, message, advice }: ErrorPageProps) => (
  <Layout title={`${status} ${reason} · Shortcrust`} site={site}>
    <section class="card narrow">
      <p class="status">{status}</p>
      <h1 safe>{reason}</h1>
      <p safe>{message}</p>
      <p class="quiet" safe>
        {advice}
      </p>
      <p>
        <a class="button" href={site.root}>
          Go to the start page
        </a>
      </p>
    </section>
  </Layout>
)

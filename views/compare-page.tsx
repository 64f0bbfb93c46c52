import { Html } from '@elysiajs/html'
import { CompareForm, type CompareFormProps } from './compare-form.tsx'
import { Layout } from './layout.tsx'

export type ComparePageProps = CompareFormProps & { title: string }

/** Asks what to compare a paste with. */
export const ComparePage = ({ title, ...form }: ComparePageProps) => (
  <Layout title="Compare with…" site={form.site}>
    <section class="card narrow">
      <h1>Compare two pastes</h1>
      <p class="quiet">
        <a href={`${form.site.root}p/${form.name}`} safe>
          {title || 'Untitled paste'}
        </a>{' '}
        is the older side. Give the address of the newer one.
      </p>
      <CompareForm {...form} />
    </section>
  </Layout>
)

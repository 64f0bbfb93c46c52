import { Html } from '@elysiajs/html'
import { SortOptions } from './finding-fields.tsx'
import { ItemList } from './item-list.tsx'
import { KeepKey } from './key-field.tsx'
import { Layout, type Site } from './layout.tsx'

const Figures = () => (
  <section aria-labelledby="figures-title">
    <h2 id="figures-title">Figures</h2>
    <dl class="figures" id="figures" />
    <figure class="chart">
      <figcaption>
        Created by day, in UTC: <span class="chart-key of-pastes">pastes</span>{' '}
        <span class="chart-key of-links">short links</span>
      </figcaption>
      <div id="chart" />
      <p class="chart-ends quiet" id="chart-ends" />
    </figure>
    <details>
      <summary>By key</summary>
      <table class="by-key">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Kind</th>
            <th scope="col">Items</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody id="by-key" />
      </table>
    </details>
  </section>
)

const Finding = () => (
  <form class="finding" id="finding" aria-label="Find items">
    <label class="field">
      Kind
      <select name="kind">
        <option value="pastes">Pastes</option>
        <option value="links">Short links</option>
      </select>
    </label>
    <label class="field search-field">
      Search
      <input name="q" type="text" autocomplete="off" spellcheck="false" />
    </label>
    <label class="field">
      Key
      <input name="owner" type="text" autocomplete="off" spellcheck="false" placeholder="all" />
    </label>
    <label class="field">
      Sort by
      <select name="sort">
        <SortOptions />
      </select>
    </label>
  </form>
)

const Confirmation = () => (
  <dialog id="confirm" aria-labelledby="confirm-title">
    <h2 id="confirm-title">Delete?</h2>
    <ul id="confirm-names" />
    <p>Their addresses stop working at once, for everybody.</p>
    <p class="row">
      <button class="button danger" id="confirm-delete" type="button">
        Delete
      </button>
      <button class="button" id="confirm-cancel" type="button">
        Cancel
      </button>
    </p>
  </dialog>
)

/** An empty shell: a script fills it in for a browser that keeps an admin key. It is the same for everybody. */
export const AdminPage = ({ site }: { site: Site }) => (
  <Layout title="Admin" site={site} script="admin" style={[site.itemsStyle, site.adminStyle]}>
    <section class="admin" id="admin">
      <h1>Everything on this server</h1>
      <p data-nojs>
        This page needs JavaScript. Without it, <code>shortcrust stats</code> shows the figures in a terminal.
      </p>
      <p id="admin-state" data-js>
        Loading…
      </p>
      <div id="admin-key" hidden>
        <KeepKey label="Admin key">
          Kept in this browser. <code>shortcrust keys add NAME --admin</code> makes one.
        </KeepKey>
      </div>
      <div id="admin-content" hidden>
        <Figures />
        <section aria-labelledby="everything-title">
          <h2 id="everything-title" tabindex="-1">
            Items
          </h2>
          <Finding />
          <p class="row">
            <button class="button danger" id="delete-selected" type="button" disabled>
              Delete selected
            </button>
            <button class="button" id="select-none" type="button" disabled>
              Select none
            </button>
          </p>
          <ItemList />
        </section>
      </div>
      <Confirmation />
    </section>
  </Layout>
)

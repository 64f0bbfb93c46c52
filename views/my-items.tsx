import { Html } from '@elysiajs/html'

/** What this browser created; the list lives in its local storage alone. */
export const MyItems = () => (
  <section class="card" id="items" data-js>
    <h2>My items</h2>
    <p class="quiet" id="no-items">
      Nothing yet. What you create here is listed in this browser, and nowhere else.
    </p>
    <ul class="items" />
    <div class="row">
      <button class="button" id="export" type="button">
        Export list
      </button>
      <label class="button file">
        Import list
        <input id="import" type="file" accept="application/json,.json" />
      </label>
    </div>
    <template id="item">
      <li>
        {/* biome-ignore lint/a11y/useAnchorContent: a template; the script fills it in */}
        <a href="./" />
        <span class="quiet">
          <span class="kind" /> · <time />
        </span>
        <span class="row">
          <button class="button" type="button" data-copy="">
            Copy
          </button>
          <button class="button danger" type="button">
            Delete
          </button>
        </span>
      </li>
    </template>
  </section>
)

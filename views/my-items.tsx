import { Html } from '@elysiajs/html'
import { SortOptions } from './finding-fields.tsx'
import { Icon } from './icons.tsx'
import { ItemList, ItemRow } from './item-list.tsx'
import type { Sender } from './key-field.tsx'
import type { Site } from './layout.tsx'

/** What a row gets of a script: buttons, and a question before it deletes. */
const ActionsTemplate = () => (
  <template id="item-actions">
    <span class="item-actions">
      <button class="tool" type="button" data-copy="" title="Copy the link">
        <Icon name="copy" />
      </button>
      <a class="tool edit-item of-key" href="./" title="Edit">
        <Icon name="edit" />
      </a>
      <button class="tool ask" type="button" title="Delete">
        <Icon name="trash" />
      </button>
    </span>
    <fieldset class="item-sure" hidden>
      <button class="button small danger" type="button">
        Delete
      </button>
      <button class="button small cancel" type="button">
        Cancel
      </button>
    </fieldset>
    <p class="field-error" role="alert" />
  </template>
)

/** For what this browser alone has; the script fills it in. */
const LocalTemplate = () => (
  <template id="local-item">
    <ItemRow path="" name="" url="" about="" uses="" left="" createdAt="" createdAtText="" />
  </template>
)

const KindSwitch = () => (
  <fieldset class="switch" aria-label="Kind">
    <button class="button small" type="button" data-kind="paste" aria-pressed="true">
      Pastes
    </button>
    <button class="button small" type="button" data-kind="link" aria-pressed="false">
      Short links
    </button>
  </fieldset>
)

/** Searches while somebody types. The list of this browser has no other order than the newest first. */
const SearchForm = () => (
  <form class="items-finding" id="items-finding" aria-label="Find items">
    <input
      id="items-q"
      type="search"
      aria-label="Search my items"
      aria-keyshortcuts="/"
      placeholder="Search"
      autocomplete="off"
      spellcheck="false"
    />
    <select class="of-key" id="items-sort" aria-label="Sort by" autocomplete="off">
      <SortOptions />
    </select>
  </form>
)

/** Whose items these are, and what is seldom needed. */
const Foot = ({ sender }: { sender: Sender | undefined }) => (
  <div class="items-foot" id="items-foot" hidden>
    <p class="quiet items-source of-key">
      <span class="of-kept">Created with the kept API key.</span>{' '}
      {sender?.as === 'user' ? (
        <span class="of-user" safe>
          {`Created as ${sender.name}.`}
        </span>
      ) : null}
      <a id="to-admin" href="admin" hidden>
        Everything on this server
      </a>
    </p>
    <p class="quiet items-source of-browser">
      Created in this browser; titles and addresses are searched. With a kept API key the list shows all that
      the key created, and texts are searched as well.
    </p>
    <div class="row items-browser">
      <span class="quiet">This browser's own list:</span>
      <button class="button small" id="export" type="button">
        Export list
      </button>
      <label class="button small file">
        Import list
        <input id="import" type="file" accept="application/json,.json" />
      </label>
    </div>
  </div>
)

/**
 * The items of the stored key, from the server; without a key, those in the local storage of this browser. Hidden until its
 * script and styles are loaded.
 */
export const MyItems = ({ site, sender }: { site: Site; sender: Sender | undefined }) => (
  <section
    class="my-items"
    id="items"
    aria-labelledby="my-items-title"
    data-script={site.root + site.scripts.items}
    data-style={site.root + site.itemsStyle}
    data-js
    hidden
  >
    <div class="items-head">
      <h1 id="my-items-title" tabindex="-1">
        My items
      </h1>
      <KindSwitch />
    </div>
    <SearchForm />
    <ItemList />
    <Foot sender={sender} />
    <ActionsTemplate />
    <LocalTemplate />
  </section>
)

import { Html } from '@elysiajs/html'
import { SortOptions } from './finding-fields.tsx'
import { Icon } from './icons.tsx'
import { ItemList, ItemRow, NothingYet } from './item-list.tsx'
import { KeepKey, type Sender } from './key-field.tsx'
import type { Site } from './layout.tsx'

/** What a row gets of a script: buttons, and a question before it deletes. */
const ActionsTemplate = () => (
  <template id="item-actions">
    <span class="item-actions">
      <button class="tool" type="button" data-copy="" title="Copy link">
        <Icon name="copy" />
      </button>
      <details class="menu" name="menu">
        <summary class="tool" title="More">
          <Icon name="more" />
        </summary>
        <div class="popup row-menu">
          <a class="entry of-paste" href="./">
            <Icon name="raw" />
            Raw text
          </a>
          <a class="entry of-link" href="./">
            <Icon name="link" />
            Preview
          </a>
          <a class="entry edit-item of-key" href="./">
            <Icon name="edit" />
            Edit
          </a>
          <button class="entry ask" type="button">
            <Icon name="trash" />
            Delete…
          </button>
        </div>
      </details>
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
    <ItemRow path="" name="" url="" target="-" about="" size="" uses="" createdAt="" createdAtText="" />
  </template>
)

const KindSwitch = () => (
  <fieldset class="switch" aria-label="Kind">
    <button class="button" type="button" data-kind="paste" aria-pressed="true">
      Pastes <span class="count" />
    </button>
    <button class="button" type="button" data-kind="link" aria-pressed="false">
      Short links <span class="count" />
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

/** The next step of somebody who has no items, or has them elsewhere. */
const FirstStep = ({ sender }: { sender: Sender | undefined }) => (
  <NothingYet>
    <p class="quiet">
      <span class="of-kept">What you create with this key appears here, on any device.</span>
      {sender?.as === 'user' ? (
        <span class="of-user" safe>{`What you create as ${sender.name} appears here.`}</span>
      ) : null}
      <span class="of-browser">What you create in this browser appears here.</span>
    </p>
    <p>
      <a class="button primary" href="./" data-kind="paste">
        New paste
      </a>
      <a class="button primary" href="./?link" data-kind="link">
        New short link
      </a>
    </p>
  </NothingYet>
)

/** Whose items these are, and what is seldom needed. */
const Foot = ({ sender }: { sender: Sender | undefined }) => (
  <div class="items-foot quiet" id="items-foot" hidden>
    <p class="items-source">
      <span class="of-kept">
        Everything made with the key <strong id="items-key" />.
      </span>
      {sender?.as === 'user' ? (
        <span class="of-user" safe>{`Everything made as ${sender.name}.`}</span>
      ) : null}
      <span class="of-browser">Everything made in this browser.</span>
    </p>
    <a id="to-admin" href="admin" hidden>
      Everything on this server
    </a>
    <p class="items-browser">
      <span class="of-key">Saved in this browser:</span>
      <button class="button small" id="export" type="button">
        Export the list
      </button>
      <label class="button small file">
        Import a list
        <input id="import" type="file" accept="application/json,.json" />
      </label>
    </p>
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
    <FirstStep sender={sender} />
    <KeepKey label="Have an API key?">
      Kept in this browser, it lists everything the key has made, on any device.
    </KeepKey>
    <Foot sender={sender} />
    <ActionsTemplate />
    <LocalTemplate />
  </section>
)

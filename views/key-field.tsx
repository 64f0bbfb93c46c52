import { Html, type PropsWithChildren } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import { Icon } from './icons.tsx'

/** Who needs no key: a guest of the network, or a user with the name that a proxy says. */
export type Sender = { as: 'guest' } | { as: 'user'; name: string }

type KeyFieldProps = { problem: Problem | undefined; sender: Sender | undefined }

const Entry = ({ problem, sender }: KeyFieldProps) => (
  <>
    <label for="field-key">API key</label>
    <input
      {...described('key', problem)}
      type="password"
      autocomplete="off"
      spellcheck="false"
      {...(sender === undefined && { required: true })}
    />
    <FieldError name="key" problem={problem} />
    <p class="hint">You get one from the person who runs this server.</p>
    <label class="check" data-js>
      <input id="keep" type="checkbox" /> Keep the key in this browser
    </label>
  </>
)

/** Says who somebody without a key is. The field for a key is folded: few who need none have one. */
const SenderEntry = ({ problem, sender }: { problem: Problem | undefined; sender: Sender }) => (
  <details class="key-entry" open={problem?.field === 'key'}>
    <summary class="sender">
      <Icon name="user" />
      <span>
        {sender.as === 'guest' ? (
          'Posting as a guest'
        ) : (
          <>
            Posting as <strong safe>{sender.name}</strong>
          </>
        )}
      </span>
      <span class="button small">Use key</span>
    </summary>
    <div class="field">
      <Entry problem={problem} sender={sender} />
    </div>
  </details>
)

/**
 * The API key, needed once per page. It comes first in the form, so the server can check it first. It is never written into a
 * page. If the user wants that, the browser stores it and then shows its name instead.
 */
export const KeyField = ({ problem, sender }: KeyFieldProps) => (
  <div class="key">
    {sender ? (
      <SenderEntry problem={problem} sender={sender} />
    ) : (
      <div class="field key-entry">
        <Entry problem={problem} sender={undefined} />
      </div>
    )}
    <p class="key-kept" data-js>
      <Icon name="key" />
      <span>
        API key <strong id="key-name" />
      </span>
      <button class="button small" id="change-key" type="button">
        Change
      </button>
    </p>
  </div>
)

/** Asks for a key to keep, where a list needs one. */
export const KeepKey = ({ label, children }: PropsWithChildren<{ label: string }>) => (
  <form class="field keep-key" id="keep-key">
    <label for="kept-key" safe>
      {label}
    </label>
    <div class="row">
      <input
        id="kept-key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        required
        aria-describedby="kept-key-error"
      />
      <button class="button" type="submit">
        Keep key
      </button>
    </div>
    <p class="field-error" id="kept-key-error" />
    <p class="hint">{children as 'safe'}</p>
  </form>
)

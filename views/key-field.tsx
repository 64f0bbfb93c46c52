import { Html } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import { Icon } from './icons.tsx'

/**
 * The API key, needed once per page. It comes first in the form, so the server can check it first. It is never written into a
 * page. If the user wants that, the browser stores it and then shows its name instead.
 */
export const KeyField = ({ problem }: { problem: Problem | undefined }) => (
  <div class="key">
    <div class="field key-entry">
      <label for="field-key">API key</label>
      <input {...described('key', problem)} type="password" autocomplete="off" spellcheck="false" required />
      <FieldError name="key" problem={problem} />
      <p class="hint">You get one from the person who runs this server.</p>
      <label class="check" data-js>
        <input id="keep" type="checkbox" /> Keep the key in this browser
      </label>
    </div>
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

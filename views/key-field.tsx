import { Html } from '@elysiajs/html'
import { described, FieldError, type Problem } from './fields.tsx'
import { Icon } from './icons.tsx'

/**
 * The API key, asked for once on the page. It stands first in the form, so that it is the first thing that the server sees of
 * what is sent. It is never written into a page: the browser keeps it where the user says so, and then shows its name.
 */
export const KeyField = ({ problem }: { problem: Problem | undefined }) => (
  <div class="key">
    <div class="field key-entry">
      <label for="field-key">API key</label>
      <input {...described('key', problem)} type="password" autocomplete="off" spellcheck="false" required />
      <FieldError name="key" problem={problem} />
      <label class="check" data-js>
        <input id="keep" type="checkbox" /> Keep the key in this browser
      </label>
      <p class="hint" data-nojs>
        You get one from the person who runs this server.
      </p>
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

import { Html } from '@elysiajs/html'

/** A key, and its action. */
export type Shortcut = readonly [key: string, action: string]

const everyPage: readonly Shortcut[] = [
  ['n', 'New paste'],
  ['t', 'Theme: auto, light, dark'],
  ['?', 'Show or hide this list'],
]

/** The shortcuts of a page, which win over those of every page; `?` shows them. */
export const Shortcuts = ({ shortcuts }: { shortcuts: readonly Shortcut[] }) => (
  <dialog id="shortcuts" aria-labelledby="shortcuts-title">
    <h2 id="shortcuts-title">Keyboard shortcuts</h2>
    <dl>
      {[...shortcuts, ...everyPage.filter(([key]) => !shortcuts.some(([own]) => own === key))].map(
        ([key, action]) => (
          <div>
            <dt>
              <kbd safe>{key}</kbd>
            </dt>
            <dd safe>{action}</dd>
          </div>
        ),
      )}
    </dl>
    <form method="dialog">
      <button class="button" type="submit">
        Close
      </button>
    </form>
  </dialog>
)

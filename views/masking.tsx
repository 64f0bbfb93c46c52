import { Html } from '@elysiajs/html'
import type { Site } from './layout.tsx'

/** One value that was masked; a script fills it in. */
const Row = () => (
  <template id="mask-row">
    <li>
      <code />
      <span />
      <button class="button small" type="button" />
    </li>
  </template>
)

/**
 * What looks secret in a text, and what was masked: empty until a script has found something. Its scripts and styles are
 * loaded when there is a text to look at.
 */
export const Masking = ({ site }: { site: Site }) => (
  <div
    class="mask"
    id="mask"
    data-js
    data-script={site.root + site.scripts.masking}
    data-worker={site.root + site.scripts.masker}
    data-style={site.root + site.maskingStyle}
  >
    <div class="mask-row" id="mask-found" hidden>
      <p id="mask-words" />
      <button class="button small" id="mask-button" type="button" aria-describedby="mask-words">
        Mask
      </button>
    </div>
    <section id="mask-list" aria-labelledby="mask-title" hidden>
      <div class="mask-row">
        {/* biome-ignore lint/a11y/useHeadingContent: the script fills it in */}
        <h2 id="mask-title" tabindex="-1" />
        <button class="button small" id="mask-all" type="button" />
      </div>
      <ul />
      <p class="quiet" id="mask-more" />
    </section>
    <p class="offscreen" id="mask-said" aria-live="polite" />
    <Row />
  </div>
)

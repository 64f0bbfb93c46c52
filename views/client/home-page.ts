import { elements } from './dom.ts'
import { enableDraft } from './draft.ts'
import { enableFiles } from './files.ts'
import { field, form } from './form.ts'
import { itemsChanged } from './items-local.ts'
import { openItems } from './items-opening.ts'
import { enableKey } from './key-field.ts'
import { enableMasking } from './masking-loading.ts'
import { enableResult } from './result.ts'
import { enableSubmit } from './submit.ts'
import { currentTab, enableTabs } from './tabs.ts'
import { enableIndenting } from './text-keys.ts'

/**
 * The server filled the form: with what the address names (`?from=`, `?text=`), which has a draft of its own, so it replaces
 * no other; or with typed values and an error.
 */
const isFilled = form.dataset.filled !== undefined

enableKey(itemsChanged)
enableDraft(isFilled && !location.search, isFilled ? location.search : '')
enableFiles(() => {
  if (currentTab() !== 'paste') elements('.place-paste')[0]?.click()
})
enableIndenting(field('text') as HTMLTextAreaElement)
enableMasking()
enableResult()
enableSubmit()
enableTabs((tab) => {
  if (tab === 'items') void openItems()
})

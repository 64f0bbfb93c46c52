import { announce, element } from './dom.ts'
import { field } from './form.ts'
import { loadFor } from './loading.ts'

let isLoading = false

/** Loads what looks for secrets, once there is a text. */
export const enableMasking = () => {
  const text = field('text')
  const load = async () => {
    if (isLoading || text.value === '') return
    isLoading = true
    await loadFor(element('#mask')).catch(() => {
      isLoading = false
      announce('The search for secrets could not be loaded.')
    })
  }
  text.addEventListener('input', load)
  void load()
}

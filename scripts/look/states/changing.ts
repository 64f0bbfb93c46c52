import { editPage } from '../../../test/support/page-objects/edit.ts'
import { testKey } from '../../../test/support/process.ts'
import { samples } from '../samples.ts'
import { opens, type Show, type Stage, statesOf } from '../state.ts'

const [isLong, needsScript] = [true, true] as const

type Edit = ReturnType<typeof editPage>

const headers = { key: testKey, 'Content-Type': 'application/json' }
const change = (stage: Stage, path: string, fields: object) =>
  stage.client.get(path, headers, { method: 'PATCH', body: JSON.stringify(fields) })

const keepKey = (stage: Stage) => stage.keep({ key: testKey, 'key-name': 'laptop' })

/** A paste that was changed twice. @returns its name */
const changedPaste = async (stage: Stage) => {
  const { pasteUrl = '' } = await stage.client.paste({ ...samples.code, title: 'rate-limit.ts' })
  const id = pasteUrl.split('/').at(-1) ?? ''
  const { text = '' } = samples.code
  const lines = text.split('\n')
  await change(stage, `/pastes/${id}`, { text: lines.toSpliced(3, 1).join('\n') })
  await change(stage, `/pastes/${id}`, { text: `${text}\n// The end\n`, title: 'rate-limiter.ts' })
  return id
}

const changedLink = async (stage: Stage) => {
  const { shortendUrl = '' } = await stage.client.link('https://example.org/guide')
  const id = shortendUrl.split('/').at(-1) ?? ''
  await change(stage, `/links/${id}`, { url: 'https://example.org/guide/of/may?with=a-longer-address' })
  return id
}

const edits =
  (
    kind: 'paste' | 'link',
    act: (edit: Edit, change: (fields: object) => Promise<unknown>) => Promise<void>,
  ): Show =>
  async (stage) => {
    const id = await (kind === 'paste' ? changedPaste : changedLink)(stage)
    await keepKey(stage)
    const edit = editPage(stage.page)
    await edit.open(id, kind)
    await act(edit, (fields) => change(stage, `/${kind}s/${id}`, fields))
  }
const compares =
  (from: number, to: string) =>
  async ({ version, compareWith, shown }: Edit) => {
    await version(from).click()
    await compareWith(to)
    await shown.locator('ins, del').first().waitFor()
  }

const edit = statesOf('edit', 'edit-page', '/')
/** Changing an item: the editor, versions, and what may be in the way. */
export const editStates = [
  edit('paste', 'A paste that was changed twice', edits('paste', async () => {}), { needsScript, isLong }),
  edit('version', 'An earlier version', edits('paste', async ({ version, shown }) => {
    await version(1).click()
    await shown.locator('pre').waitFor()
  }), { needsScript, isLong }),
  edit('compare', 'An earlier version beside the newest', edits('paste', compares(2, '3')), { needsScript, isLong }),
  edit('compare-split', 'An earlier version and the newest, side by side', edits('paste', async (page) => {
    await compares(1, '3')(page)
    // A narrow window has one column.
    if (!(await page.sideBySide.isVisible())) return
    await page.sideBySide.click()
    await page.shown.locator('.pair').first().waitFor()
  }), { needsScript, isLong }),
  edit('conflict', 'Somebody else saved meanwhile', edits('paste', async ({ text, save, compareNewest }, changeIt) => {
    await changeIt({ text: 'something else\n' })
    await text.fill('what I typed\n')
    await save.click()
    await compareNewest.waitFor()
  }), { needsScript }),
  edit('erase', 'Before earlier versions are erased', edits('paste', async ({ erase, sure }) => {
    await erase.click()
    await sure.waitFor()
  }), { needsScript }),
  edit('error-title', 'The title is too long', edits('paste', async ({ field, save, fieldError }) => {
    await field('title').fill('long '.repeat(300))
    await save.click()
    await fieldError('title').getByText('Shorten').waitFor()
  }), { needsScript }),
  edit('link', 'A short link that was changed', edits('link', compares(1, '2')), { needsScript, isLong }),
  edit('key', 'No key is kept', opens('/?edit=abcdefghjk'), { needsScript }),
  edit('error-key', 'The key is missing', async ({ page, open }) => {
    const { openItem, fieldError } = editPage(page)
    await open('/?edit=abcdefghjk')
    await openItem.click()
    await fieldError('key').getByText('Enter').waitFor()
  }, { needsScript }),
  edit('no-script', 'What is said without JavaScript', opens('/?edit=abcdefghjk'), { isPlain: true }),
] // biome-ignore format: a table to skim

const waitForOwn = (stage: Stage) => stage.page.locator('html.is-own').waitFor()

/** The pages of items that the kept key made. */
export const ownStates = [
  statesOf('paste', 'paste-page', '/p/{id}')('own', 'The kept key made it', async (stage) => {
    const id = await changedPaste(stage)
    await keepKey(stage)
    await stage.open(`/p/${id}`)
    await waitForOwn(stage)
  }, { needsScript }),
  statesOf('preview', 'link-page', '/s/{id}+')('own', 'The kept key made it', async (stage) => {
    const id = await changedLink(stage)
    await keepKey(stage)
    await stage.open(`/s/${id}+`)
    await waitForOwn(stage)
  }, { needsScript }),
] // biome-ignore format: a table to skim

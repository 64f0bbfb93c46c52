import { preferredForm } from '../../http/answers/respond.ts'
import { limitedResource } from '../../http/limited.ts'
import type { Pastes } from '../../services/pastes.ts'
import type { LimitedPaste } from './limited-paste.ts'
import type { PasteAnswers } from './paste-answers.ts'

/** `GET /p/<id>` in three forms, `GET /p/raw/<id>`, also by alias; `POST` to both where the paste is limited */
export const pastePages = (pastes: Pastes, answers: PasteAnswers, limited: LimitedPaste) => {
  const isLimitedAt = async (id: string) => pastes.isLimited(await pastes.find(id))
  return limitedResource(
    '/p/:id',
    isLimitedAt,
    {
      get: async ({ request, params }) => {
        const paste = await pastes.find(params.id ?? '')
        return answers[preferredForm(request)](request, paste)
      },
      post: limited.spend,
    },
    true,
  ).use(
    limitedResource(
      '/p/raw/:id',
      isLimitedAt,
      {
        get: async ({ request, params }) => answers.raw(request, await pastes.find(params.id ?? '')),
        post: limited.spendRaw,
      },
      true,
    ),
  )
}

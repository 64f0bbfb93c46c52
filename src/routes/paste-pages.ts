import type { Pastes } from '../services/pastes.ts'
import { sharedResource } from './cors.ts'
import type { PasteAnswers } from './paste-answers.ts'
import { preferredForm } from './respond.ts'

/** `GET /p/<id>` in three forms, `GET /p/raw/<id>` */
export const pastePages = (pastes: Pastes, answers: PasteAnswers) =>
  sharedResource('/p/:id', {
    get: async ({ request, params }) => {
      const paste = await pastes.find(params.id ?? '')
      return answers[preferredForm(request)](request, paste)
    },
  }).use(
    sharedResource('/p/raw/:id', {
      get: async ({ request, params }) => answers.raw(request, await pastes.find(params.id ?? '')),
    }),
  )

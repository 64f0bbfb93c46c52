import { notFound } from '../../errors.ts'
import { apiHeaders, rawHeaders } from '../../http/answers/respond.ts'
import type { Guard } from '../../http/auth.ts'
import type { Handler } from '../../http/resource.ts'
import { createPublisher, type PublisherParts } from '../items/publish.ts'
import { readUpload } from './upload-body.ts'

export type UploadParts = PublisherParts & {
  guard: Guard
  /** Of a text by itself. */
  maxPasteBytes: number
}

const textHeaders = { ...rawHeaders, ...apiHeaders, 'Cache-Control': 'no-store' }

/** Takes a file from a plain `curl`, and answers the address alone: `PUT /<name>`, `PUT /`, `POST /` with a key in its header. */
export const createUpload = ({ guard, maxPasteBytes, ...parts }: UploadParts): Handler => {
  const publish = createPublisher(parts)
  return async (context) => {
    const { request, params } = context
    const { name } = await guard(request.headers.get('key'), 'paste')
    const body = await readUpload(request, params.name ?? '', maxPasteBytes)
    const { pasteUrl, deletionUrl } = (await publish(context, body, name)).answer
    const headers = { ...textHeaders, Location: pasteUrl, 'Deletion-Url': deletionUrl }
    return new Response(`${pasteUrl}\n`, { status: 201, headers })
  }
}

/** What a request gets for which there is no route. */
export const nothingHere = ({ method }: Request) =>
  notFound(
    method === 'PUT'
      ? 'A file is uploaded to a name without slashes: PUT /name.py'
      : 'There is nothing at this address',
  )

import Type, { type TSchema } from 'typebox'

/** A string that can be stored as UTF-8: it holds no lone surrogate. */
export const storable = <S extends TSchema>(schema: S) =>
  Type.Refine(
    schema,
    (value) => (value as string).isWellFormed(),
    () => 'must not contain a lone surrogate',
  ) as unknown as S

/** Longest title and description of a new paste, in bytes of UTF-8. */
export const wordBytes = { title: 1024, description: 8192 } as const

/** JSON Schema counts characters, of which there are never more than bytes; `paste-words.ts` counts the bytes. */
export const boundedWords = {
  title: storable(
    Type.String({ maxLength: wordBytes.title, description: 'Title of the paste, at most 1 KiB of UTF-8' }),
  ),
  description: storable(
    Type.String({
      maxLength: wordBytes.description,
      description: 'Description of the paste, at most 8 KiB of UTF-8',
    }),
  ),
}

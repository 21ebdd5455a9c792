// Names of the API, such as `customId` and `kyc_required`. A question with one of them is about this service, even if
// the name is so common in the guide that the search gives it little weight.
import { fold, wordsOf } from './fold.ts'
import type { Section } from './markdown.ts'

/** A name begins with at least two lower-case letters, because "iOS" is not a field. */
const NAME = /^\p{Ll}{2,}(?:_\p{Ll}|\p{Lu})/u

export function findFieldNames(
  sections: readonly Section[],
  termsOf: (word: string) => string[] | null,
): ReadonlySet<string> {
  const words = sections.flatMap(({ heading, text }) => wordsOf(`${heading} ${text}`))
  const names = new Set(words.filter((word) => NAME.test(word)))
  return new Set([...names].flatMap((name) => termsOf(fold(name))?.[0] ?? []))
}

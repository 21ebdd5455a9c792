import { fold } from './fold.ts'

/** The address of a heading within its page: "Sljedeći pokušaj" is `sljedeci-pokusaj`, a code such as `too_many` itself. */
export function toAnchor(heading: string): string {
  return fold(heading)
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

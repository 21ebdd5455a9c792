import { fold } from './fold.ts'

/** The anchor of a heading: "Sljedeći pokušaj" is `sljedeci-pokusaj`, a code such as `too_many` is unchanged. */
export function toAnchor(heading: string): string {
  return fold(heading)
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

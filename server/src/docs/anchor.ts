import { fold } from './fold.ts'

/** The anchor of a heading: "Sljedeći pokušaj" becomes `sljedeci-pokusaj`. A code such as `too_many` stays unchanged. */
export function toAnchor(heading: string): string {
  return fold(heading)
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

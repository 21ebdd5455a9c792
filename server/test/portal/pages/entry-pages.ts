// The pages without a session, and those for addresses that do not exist.
import type { NamedPage, PageContext } from './open-page.ts'

export function toEntryPages({ at }: PageContext): NamedPage[] {
  return [
    ['sign-in', at('/sign-in')],
    ['sign-up', at('/sign-up')],
    ['forgot', at('/forgot')],
    ['reset', at('/reset#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq')],
    ['reset-broken', at('/reset')],
    ['confirm-email', at('/confirm-email#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq', '[role=alert]')],
    ['not-found', at('/no-such-page')],
    ['no-project', at('/projects/abcdefghijklmnopqrstuvwx/keys', 'main a')],
  ]
}

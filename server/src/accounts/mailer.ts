// The mail worker of the service. A mail with a link is sent only while the link still works.
import type { AccountDeps } from './deps.ts'
import { findInvitation } from './invitations-store.ts'
import { findMailLink } from './mail-links-store.ts'
import { createMailWorker } from './mail/mail-worker.ts'
import type { MailWorker, MailWorkerOptions } from './mail/mail-worker.ts'
import { toTokenHash } from './token-hash.ts'

const PURPOSES = ['confirm_email', 'change_email', 'reset_password'] as const

export function createMailer(
  deps: AccountDeps,
  options: Omit<MailWorkerOptions, 'isLinkUsable'> = {},
): MailWorker {
  const isLinkUsable = async (token: string) => {
    const hash = toTokenHash(token)
    const isLink = (await findMailLink(deps.db, hash, PURPOSES)) !== null
    return isLink || (await findInvitation(deps.db, hash)) !== null
  }
  return createMailWorker(deps, { ...options, isLinkUsable })
}

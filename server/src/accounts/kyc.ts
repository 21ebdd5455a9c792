// The operator verifies identities outside this service. Only the result is stored.
// With REQUIRE_KYC, live pay links (checkout/check-link.ts) and live secrets (projects/project-secrets.ts) need a
// verified owner, and a transfer needs a verified new owner (projects/members/apply-transfer.ts).
import type { Account } from './account.ts'
import { findAccountByEmail, markKycVerified } from './accounts-store.ts'
import { recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { toEmailKey } from './email-address.ts'

/** Null when no account has this address. */
export async function verifyAccount(deps: AccountDeps, email: string): Promise<Account | null> {
  const emailKey = toEmailKey(email)
  return deps.db.transaction(async (tx) => {
    const account = await markKycVerified(tx, emailKey)
    if (!account) return findAccountByEmail(tx, emailKey)
    const byOperator = { accountId: account.id, actor: 'operator', client: null } as const
    await recordAudit(deps, tx, { ...byOperator, action: 'kyc_verified' })
    return account
  })
}

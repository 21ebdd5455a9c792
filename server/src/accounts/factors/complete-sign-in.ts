// The second step of a sign-in: after the correct password, the person enters a code.
import { ServiceError } from '../../lib/service-error.ts'
import type { AccountDeps } from '../deps.ts'
import { requireCode } from '../factor-codes.ts'
import { deleteBuckets } from '../lockout-store.ts'
import { findPendingSignIn, usePendingSignIn } from '../pending-sign-ins-store.ts'
import type { Browser, SignedIn } from '../sessions.ts'
import { finishSignIn } from '../sign-in.ts'
import { toTokenHash } from '../token-hash.ts'

/** After a wrong code, the sign-in stays pending. */
export async function completeSignIn(
  deps: AccountDeps,
  browser: Browser,
  { pendingToken, code }: { pendingToken: string | null; code: string },
): Promise<SignedIn> {
  const tokenHash = pendingToken === null ? null : toTokenHash(pendingToken)
  const pending = tokenHash && (await findPendingSignIn(deps.db, tokenHash))
  if (!tokenHash || !pending) throw new ServiceError('unauthenticated')
  const factor = await requireCode(deps, pending.account, browser.client, code)
  return deps.db.transaction(async (tx) => {
    if (!(await usePendingSignIn(tx, tokenHash))) throw new ServiceError('unauthenticated')
    await deleteBuckets(tx, [pending.bucket])
    return finishSignIn(deps, tx, { ...pending, factor }, browser)
  })
}

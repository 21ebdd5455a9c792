import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { listInboxRequests } from '../callbacks/inbox-store.ts'
import { requireProject } from '../projects/access.ts'

export async function readInbox(deps: CallbackDeps, accountId: AccountId, projectId: string, limit: number) {
  const { id } = await requireProject(deps.db, accountId, projectId, 'operate')
  const received = await listInboxRequests(deps.db, id, limit)
  return received.map(({ receivedAt, ...request }) => ({ receivedAt: receivedAt.toISOString(), ...request }))
}

// The inbox of a project without a server, as a developer reads it.
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { listInboxRequests } from '../callbacks/inbox-store.ts'
import { requireProject } from '../projects/access.ts'

/** Requests stay readable after the project gets a server. */
export async function readInbox(deps: CallbackDeps, ownerId: AccountId, projectId: string, limit: number) {
  const { id } = await requireProject(deps.db, ownerId, projectId, 'operate')
  const received = await listInboxRequests(deps.db, id, limit)
  return received.map(({ receivedAt, ...request }) => ({ receivedAt: receivedAt.toISOString(), ...request }))
}

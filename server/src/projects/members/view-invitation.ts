// Shows what an invitation is for, before the invitation is accepted.
import type { InvitationView } from '@pazar/contract'
import { findSentInvitation } from '../../accounts/invitations-store.ts'
import { toTokenHash } from '../../accounts/token-hash.ts'
import type { Queryable } from '../../db/pool.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { findMember } from '../members-store.ts'
import { findNameAndOwner } from '../projects-store.ts'

export async function viewInvitation(db: Queryable, token: string): Promise<InvitationView> {
  const found = await findSentInvitation(db, toTokenHash(token))
  if (!found) throw new ServiceError('not_found')
  const { projectId, state, role, invitedBy, email } = found
  // The row does not say why the invitation ended. If a member has the invited address, the invitation counts as accepted.
  if (state === 'ended')
    return { state: (await findMember(db, projectId, found.emailKey)) ? 'accepted' : 'ended' }
  const project = await findNameAndOwner(db, projectId)
  if (!project) throw new ServiceError('not_found')
  return { state, project: project.name, role, invitedBy, email, expiresAt: found.expiresAt.toISOString() }
}

// Writes the pay link for a project's owner, with the very code that merchants sign with. Its address is always
// BASE_URL: what a request claims about the host never reaches a link or a printed code.
import type { NewPayLinkBody } from '@pazar/contract'
import { buildPayUrl } from '@pazar/sdk'
import type { AccountId } from '../accounts/account.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { requireProject } from '../projects/projects.ts'
import { readSecret } from '../secrets/secrets.ts'

export interface LinkWish extends NewPayLinkBody {
  projectId: string
  /** Unsigned links outlive a rotation, which a printed poster may need, but anybody can change their amount. */
  signed: boolean
}

export async function writePayLink(deps: ProjectDeps, ownerId: AccountId, wish: LinkWish): Promise<string> {
  const { amount, data, customId, mode, exp, signed } = wish
  const project = await requireProject(deps.db, ownerId, wish.projectId)
  if (project.archivedAt) throw new ServiceError('archived')
  if (!signed && (project.requireSignedLinks || mode === 'test'))
    throw invalidField('signed', 'signature_required')
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  if (exp !== undefined && exp <= nowSec) throw invalidField('exp', 'out_of_range', { min: nowSec + 1 })
  const secret = signed ? await readSecret(deps, deps.db, project.id, mode) : undefined
  return buildPayUrl(deps.config.baseUrl, { amount, project: project.id, data, customId, mode, exp, secret })
}

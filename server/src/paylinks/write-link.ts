// Writes a pay link for a member of the project. The host is that of BASE_URL, so a Host header cannot change the
// link.
import type { NewPayLinkBody, Permission } from '@pazar/contract'
import { buildPayUrl } from '@pazar/sdk'
import { requireWriteScope } from '../accounts/guards.ts'
import type { Caller } from '../accounts/sessions.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { requireProject } from '../projects/access.ts'
import { readSecret } from '../secrets/secrets.ts'

export const LIVE_LINKS_NEED_WRITE =
  'A token with the scope `read` gets test links and unsigned codes; a signed live link needs `write`.'

export interface RequestedLink extends NewPayLinkBody {
  projectId: string
  /**
   * An unsigned link stays valid when the secret is rotated. Printed posters may need this. But anybody can change the
   * amount of an unsigned link.
   */
  signed: boolean
}

/** A live signature authorises an amount, so a signed live link needs the scope `write`. */
export async function writePayLink(
  deps: ProjectDeps,
  caller: Pick<Caller, 'account' | 'token'>,
  requested: RequestedLink,
  permission: Extract<Permission, 'operate' | 'qr'>,
): Promise<string> {
  const { amount, data, customId, mode, exp, signed } = requested
  const project = await requireProject(deps.db, caller.account.id, requested.projectId, permission)
  if (signed && mode === 'live') requireWriteScope(caller)
  if (project.archivedAt) throw new ServiceError('archived')
  if (!signed && (project.requireSignedLinks || mode === 'test'))
    throw invalidField('signed', 'signature_required')
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  if (exp !== undefined && exp <= nowSec)
    throw invalidField('exp', 'out_of_range', { min: nowSec + 1, unit: 'unix_seconds' })
  const secret = signed ? await readSecret(deps, deps.db, project.id, mode) : undefined
  // The person may have lost access while the secret was read.
  if (signed) await requireProject(deps.db, caller.account.id, project.id, permission)
  return buildPayUrl(deps.config.baseUrl, { amount, project: project.id, data, customId, mode, exp, secret })
}

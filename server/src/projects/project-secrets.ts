import type { Mode, RotateSecretBody } from '@pazar/contract'
import { byAccount, recordAudit } from '../accounts/audit.ts'
import type { Caller } from '../accounts/sessions.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { discardNextSecret, promoteSecret } from '../secrets/next-secret.ts'
import { readSecret, rotateSecret } from '../secrets/secrets.ts'
import { requireProject, requireProjectForChange } from './access.ts'
import type { ProjectDeps } from './deps.ts'
import { notifyPeople } from './notify-people.ts'
import type { Project } from './project.ts'

/** With REQUIRE_KYC, live secrets are neither shown, rotated nor prepared before the owner is verified. */
export function requireVerified(deps: ProjectDeps, { isOwnerVerified }: Project): void {
  if (deps.config.requireKyc && !isOwnerVerified) throw new ServiceError('kyc_required')
}

export async function seeSecret(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<string> {
  const current = await requireProject(deps.db, caller.account.id, id, 'live_secret')
  requireStepUp()
  requireVerified(deps, current)
  return deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, id, 'live_secret')
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'secret_revealed' })
    await notifyPeople(deps, tx, project, caller, { kind: 'secret_revealed', project: project.name })
    return readSecret(deps, tx, id, 'live')
  })
}

export async function rotateLiveSecret(
  deps: ProjectDeps,
  caller: Caller,
  { projectId: id, useNext = false }: RotateSecretBody,
  requireStepUp: () => void,
): Promise<string> {
  const project = await requireProject(deps.db, caller.account.id, id, 'live_secret')
  requireStepUp()
  requireVerified(deps, project)
  return rotate(deps, caller, id, 'live', useNext)
}

export async function rotateTestSecret(deps: ProjectDeps, caller: Caller, id: string): Promise<string> {
  return rotate(deps, caller, id, 'test')
}

async function rotate(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  mode: Mode,
  useNext = false,
): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const permission = mode === 'live' ? 'live_secret' : 'configure'
    const project = await requireProjectForChange(tx, caller.account.id, id, permission)
    const prepared = useNext ? await promoteSecret(deps, tx, id) : null
    if (useNext && prepared === null) throw invalidField('useNext', 'no_next_secret')
    // A rotation to a fresh secret discards the prepared one.
    if (mode === 'live' && !useNext) await discardNextSecret(tx, id)
    const secret = prepared ?? (await rotateSecret(deps, tx, id, mode))
    const action = mode === 'live' ? 'secret_rotated' : 'test_secret_rotated'
    const changes = useNext ? { prepared: true } : {}
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action, changes })
    await notifyPeople(deps, tx, project, caller, { kind: 'secret_rotated', project: project.name, mode })
    return secret
  })
}

export async function readTestSecret(deps: ProjectDeps, caller: Caller, id: string): Promise<string> {
  await requireProject(deps.db, caller.account.id, id, 'configure')
  const secret = await readSecret(deps, deps.db, id, 'test')
  // Checks again: a person who was removed meanwhile must not get a secret that is newer than the removal.
  await requireProject(deps.db, caller.account.id, id, 'configure')
  return secret
}

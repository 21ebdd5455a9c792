// Adds, changes, archives and restores projects, and shows and rotates their secrets. The caller is already
// authenticated; ownership is checked here, before step-up and KYC.
import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { Mode, ProjectAddBody, ProjectUpdateBody } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import { lockAccount } from '../accounts/accounts-store.ts'
import { byOwner, recordAudit } from '../accounts/audit.ts'
import { isVerified } from '../accounts/kyc.ts'
import { queueMail } from '../accounts/mail/queue-mail.ts'
import type { Caller } from '../accounts/sessions.ts'
import { parseTimeZone } from '../accounts/settings.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { issueSecrets, readSecret, rotateSecret } from '../secrets/secrets.ts'
import { checkUrls } from './check-urls.ts'
import type { ProjectDeps } from './deps.ts'
import type { NewProject, Project, ProjectSettings } from './project.ts'
import * as store from './projects-store.ts'

const URL_FIELDS = ['resultUrl', 'apiUrl', 'testApiUrl'] as const

export async function requireProject(db: Queryable, ownerId: AccountId, id: string): Promise<Project> {
  const project = await store.findProject(db, ownerId, id)
  if (!project) throw new ServiceError('not_found')
  return project
}

/** Also true for an archived project. */
export async function ownsProject(db: Queryable, ownerId: AccountId, id: string): Promise<boolean> {
  return (await store.findProject(db, ownerId, id)) !== null
}

async function requireForChange(tx: Tx, caller: Caller, id: string): Promise<Project> {
  const project = await store.findProjectForChange(tx, caller.account.id, id)
  if (!project) throw new ServiceError('not_found')
  return project
}

export async function listProjects(
  deps: ProjectDeps,
  caller: Caller,
): Promise<{ projects: Project[]; limit: number }> {
  const projects = await store.listProjects(deps.db, caller.account.id)
  const bound = caller.token?.projectId ?? null
  return {
    projects: bound === null ? projects : projects.filter(({ id }) => id === bound),
    limit: PROJECTS_PER_ACCOUNT_MAX,
  }
}

function tokenOfOneProject(): ServiceError {
  return new ServiceError('step_up_required', { fields: [{ path: 'authorization', code: 'token_project' }] })
}

async function parseZone({ db }: ProjectDeps, text: string | undefined): Promise<string | null> {
  if (text === undefined) return null
  const timeZone = parseTimeZone(text)
  if (!(await store.isKnownZone(db, timeZone))) throw invalidField('timeZone', 'invalid_time_zone')
  return timeZone
}

export async function addProject(deps: ProjectDeps, caller: Caller, input: ProjectAddBody): Promise<Project> {
  // A token of one project must not make others, which it could not use.
  if (caller.token?.projectId) throw tokenOfOneProject()
  const urls = await checkUrls(deps, input)
  const timeZone = await parseZone(deps, input.timeZone)
  const settings: NewProject = {
    name: urls.name,
    resultUrl: urls.resultUrl,
    apiUrl: urls.apiUrl,
    testApiUrl: urls.testApiUrl ?? null,
    requireSignedLinks: urls.requireSignedLinks,
    events: urls.events,
    ...(timeZone && { timeZone }),
  }
  const id = deps.newProjectId()
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id)
    if (!(await store.insertProject(tx, caller.account.id, id, settings))) throw new ServiceError('too_many')
    await issueSecrets(deps, tx, id)
    await recordAudit(deps, tx, {
      ...byOwner(caller),
      projectId: id,
      action: 'project_added',
      changes: { ...settings },
    })
    return requireProject(tx, caller.account.id, id)
  })
}

/** Old and new value of each changed setting, for the project's history. */
function toChanges(
  before: ProjectSettings,
  after: ProjectSettings,
): Record<string, { from: unknown; to: unknown }> {
  const fields = [
    'name',
    'resultUrl',
    'apiUrl',
    'testApiUrl',
    'requireSignedLinks',
    'events',
    'timeZone',
  ] as const
  const changed = fields.filter((field) => String(before[field]) !== String(after[field]))
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]))
}

export async function updateProject(
  deps: ProjectDeps,
  caller: Caller,
  input: ProjectUpdateBody,
  requireStepUp: () => void,
): Promise<Project> {
  // Checked first: a URL error must not reveal to others that the project exists.
  const known = await requireProject(deps.db, caller.account.id, input.projectId)
  if (known.requireSignedLinks && input.requireSignedLinks === false) requireStepUp()
  const urls = await checkUrls(deps, input, known)
  const timeZone = await parseZone(deps, input.timeZone)
  return deps.db.transaction(async (tx) => {
    const before = await requireForChange(tx, caller, input.projectId)
    const after: ProjectSettings = {
      name: urls.name ?? before.name,
      resultUrl: urls.resultUrl ?? before.resultUrl,
      apiUrl: urls.apiUrl ?? before.apiUrl,
      testApiUrl: urls.testApiUrl === undefined ? before.testApiUrl : urls.testApiUrl,
      requireSignedLinks: urls.requireSignedLinks ?? before.requireSignedLinks,
      events: urls.events ?? before.events,
      timeZone: timeZone ?? before.timeZone,
    }
    // It may have been switched on since the project was read above, and switching it off always needs a step-up.
    if (before.requireSignedLinks && !after.requireSignedLinks) requireStepUp()
    const changes = toChanges(before, after)
    if (Object.keys(changes).length === 0) return before
    await store.updateSettings(tx, before.id, after)
    await recordAudit(deps, tx, {
      ...byOwner(caller),
      projectId: before.id,
      action: 'project_updated',
      changes,
    })
    const fields = URL_FIELDS.filter((field) => changes[field])
    if (fields.length > 0) {
      await queueMail(deps, tx, caller.account, {
        kind: 'url_changed',
        client: caller,
        project: after.name,
        fields,
      })
    }
    return requireProject(tx, caller.account.id, before.id)
  })
}

/** An account whose identity is not verified gets no live secrets. Test mode is never blocked. */
function requireVerified(deps: ProjectDeps, caller: Caller): void {
  if (deps.config.requireKyc && !isVerified(caller.account)) throw new ServiceError('kyc_required')
}

export async function seeSecret(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<string> {
  const project = await requireProject(deps.db, caller.account.id, id)
  requireStepUp()
  requireVerified(deps, caller)
  return deps.db.transaction(async (tx) => {
    await recordAudit(deps, tx, { ...byOwner(caller), projectId: id, action: 'secret_revealed' })
    await queueMail(deps, tx, caller.account, {
      kind: 'secret_revealed',
      client: caller,
      project: project.name,
    })
    return readSecret(deps, tx, id, 'live')
  })
}

export async function rotateLiveSecret(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<string> {
  await requireProject(deps.db, caller.account.id, id)
  requireStepUp()
  requireVerified(deps, caller)
  return rotate(deps, caller, id, 'live')
}

export async function rotateTestSecret(deps: ProjectDeps, caller: Caller, id: string): Promise<string> {
  return rotate(deps, caller, id, 'test')
}

async function rotate(deps: ProjectDeps, caller: Caller, id: string, mode: Mode): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const project = await requireForChange(tx, caller, id)
    const secret = await rotateSecret(deps, tx, id, mode)
    const action = mode === 'live' ? 'secret_rotated' : 'test_secret_rotated'
    await recordAudit(deps, tx, { ...byOwner(caller), projectId: id, action })
    await queueMail(deps, tx, caller.account, {
      kind: 'secret_rotated',
      client: caller,
      project: project.name,
      mode,
    })
    return secret
  })
}

export async function readTestSecret(deps: ProjectDeps, caller: Caller, id: string): Promise<string> {
  await requireProject(deps.db, caller.account.id, id)
  return readSecret(deps, deps.db, id, 'test')
}

/** Frees a slot. Its pay links respond with 410, queued callbacks are still sent, and all records are kept. */
export async function archiveProject(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<Project> {
  await requireProject(deps.db, caller.account.id, id)
  requireStepUp()
  return deps.db.transaction(async (tx) => {
    const project = await requireForChange(tx, caller, id)
    if (project.archivedAt) return project
    await store.setArchived(tx, id)
    await recordAudit(deps, tx, { ...byOwner(caller), projectId: id, action: 'project_archived' })
    return requireProject(tx, caller.account.id, id)
  })
}

export async function restoreProject(deps: ProjectDeps, caller: Caller, id: string): Promise<Project> {
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id)
    const project = await requireForChange(tx, caller, id)
    if (!project.archivedAt) return project
    if (!(await store.restoreToFreeSlot(tx, caller.account.id, id))) throw new ServiceError('too_many')
    await recordAudit(deps, tx, { ...byOwner(caller), projectId: id, action: 'project_restored' })
    return requireProject(tx, caller.account.id, id)
  })
}

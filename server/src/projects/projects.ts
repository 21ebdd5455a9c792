import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { ProjectAddBody, ProjectUpdateBody } from '@pazar/contract'
import { lockAccount } from '../accounts/accounts-store.ts'
import { byAccount, recordAudit } from '../accounts/audit.ts'
import type { Caller } from '../accounts/sessions.ts'
import { parseTimeZone } from '../accounts/settings.ts'
import { ServiceError } from '../lib/service-error.ts'
import { issueSecrets } from '../secrets/secrets.ts'
import { requireProject, requireProjectForChange, requireRole } from './access.ts'
import { checkUrls, requireInboxAllowed } from './check-urls.ts'
import type { ProjectDeps } from './deps.ts'
import { notifyPeople } from './notify-people.ts'
import type { NewProject, Project, ProjectSettings } from './project.ts'
import * as store from './projects-store.ts'

const URL_FIELDS = ['resultUrl', 'apiUrl', 'testApiUrl'] as const

const LIVE_FIELDS = ['resultUrl', 'apiUrl', 'requireSignedLinks', 'events'] as const

/**
 * The specification lets the owner change URLs without a step-up. To change `events`, the owner needs a step-up in a session,
 * but not with an API token. An admin needs a step-up for every live setting.
 */
function requireSettings(
  project: Project,
  caller: Caller,
  input: ProjectUpdateBody,
  requireStepUp: () => void,
): void {
  requireRole(project, 'configure')
  if (LIVE_FIELDS.every((field) => input[field] === undefined)) return
  requireRole(project, 'configure_live')
  const changesEvents = input.events !== undefined && String(input.events) !== String(project.events)
  if (project.role !== 'owner' || (changesEvents && !caller.token)) requireStepUp()
}

export async function listProjects(
  deps: ProjectDeps,
  caller: Caller,
): Promise<{ projects: Project[]; limit: number }> {
  const projects = await store.listProjects(deps.db, caller.account.id)
  const tokenProjectId = caller.token?.projectId ?? null
  return {
    projects: tokenProjectId === null ? projects : projects.filter(({ id }) => id === tokenProjectId),
    limit: PROJECTS_PER_ACCOUNT_MAX,
  }
}

function tokenOfOneProjectRefused(): ServiceError {
  return new ServiceError('step_up_required', { fields: [{ path: 'authorization', code: 'token_project' }] })
}

async function parseZone({ db }: ProjectDeps, text: string | undefined): Promise<string | null> {
  return text === undefined ? null : parseTimeZone(db, text)
}

export async function addProject(deps: ProjectDeps, caller: Caller, input: ProjectAddBody): Promise<Project> {
  // A token of one project is refused, because it could not use the new project.
  if (caller.token?.projectId) throw tokenOfOneProjectRefused()
  // A person who came by invitation is refused, because the invitation was only to somebody else's project.
  if (deps.config.signUp === 'closed' && caller.account.cameByInvitation)
    throw new ServiceError('sign_up_closed')
  const id = deps.newProjectId()
  const urls = await checkUrls(deps, id, input)
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
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id)
    if (!(await store.insertProject(tx, caller.account.id, id, settings))) throw new ServiceError('too_many')
    await issueSecrets(deps, tx, id)
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      projectId: id,
      action: 'project_added',
      changes: { ...settings },
    })
    return requireProject(tx, caller.account.id, id, 'read')
  })
}

function toChanges(
  oldSettings: ProjectSettings,
  newSettings: ProjectSettings,
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
  const changed = fields.filter((field) => String(oldSettings[field]) !== String(newSettings[field]))
  return Object.fromEntries(
    changed.map((field) => [field, { from: oldSettings[field], to: newSettings[field] }]),
  )
}

const MAILED_URL_CHARACTERS_MAX = 200

/** Returns only the host and the path, because a query string can contain a secret, and people forward mails. */
function toMailedUrl(url: string | null): string | null {
  if (url === null) return null
  const { host, pathname } = new URL(url)
  const text = `${host}${pathname}`
  return text.length > MAILED_URL_CHARACTERS_MAX ? `${text.slice(0, MAILED_URL_CHARACTERS_MAX - 1)}…` : text
}

export async function updateProject(
  deps: ProjectDeps,
  caller: Caller,
  input: ProjectUpdateBody,
  requireStepUp: () => void,
): Promise<Project> {
  // Access is checked before the URLs, because an error about a URL would reveal that the project exists.
  const current = await requireProject(deps.db, caller.account.id, input.projectId, 'configure')
  requireSettings(current, caller, input, requireStepUp)
  if (current.requireSignedLinks && input.requireSignedLinks === false) requireStepUp()
  const urls = await checkUrls(deps, current.id, input, current)
  const timeZone = await parseZone(deps, input.timeZone)
  return deps.db.transaction(async (tx) => {
    const stored = await requireProjectForChange(tx, caller.account.id, input.projectId, 'configure')
    requireSettings(stored, caller, input, requireStepUp)
    const newSettings: ProjectSettings = {
      name: urls.name ?? stored.name,
      resultUrl: urls.resultUrl ?? stored.resultUrl,
      apiUrl: urls.apiUrl ?? stored.apiUrl,
      testApiUrl: urls.testApiUrl === undefined ? stored.testApiUrl : urls.testApiUrl,
      requireSignedLinks: urls.requireSignedLinks ?? stored.requireSignedLinks,
      events: urls.events ?? stored.events,
      timeZone: timeZone ?? stored.timeZone,
    }
    // requireSignedLinks may have been switched on since the project was first read.
    if (stored.requireSignedLinks && !newSettings.requireSignedLinks) requireStepUp()
    const changes = toChanges(stored, newSettings)
    if (Object.keys(changes).length === 0) return stored
    if (changes['apiUrl']) await requireInboxAllowed(deps, tx, { ...newSettings, id: stored.id })
    await store.updateSettings(tx, stored.id, newSettings)
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      projectId: stored.id,
      action: 'project_updated',
      changes,
    })
    const fields = URL_FIELDS.filter((field) => changes[field])
    if (fields.length > 0) {
      const urls = fields.map((field) => ({
        field,
        from: toMailedUrl(stored[field]),
        to: toMailedUrl(newSettings[field]),
      }))
      const notice = { kind: 'url_changed', project: newSettings.name, fields, urls } as const
      await notifyPeople(deps, tx, stored, caller, notice)
    }
    if (changes['requireSignedLinks'] || changes['events']) {
      await notifyPeople(deps, tx, stored, caller, {
        kind: 'live_settings_changed',
        project: newSettings.name,
        ...(changes['requireSignedLinks'] && { requireSignedLinks: newSettings.requireSignedLinks }),
        ...(changes['events'] && { events: newSettings.events }),
      })
    }
    return requireProject(tx, caller.account.id, stored.id, 'read')
  })
}

/**
 * An archived project does not count towards its owner's limit. Its pay links respond with 410, but queued callbacks are
 * still sent.
 */
export async function archiveProject(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<Project> {
  await requireProject(deps.db, caller.account.id, id, 'ownership')
  requireStepUp()
  return deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, id, 'ownership')
    if (project.archivedAt) return project
    await store.setArchived(tx, id)
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'project_archived' })
    return requireProject(tx, caller.account.id, id, 'read')
  })
}

export async function restoreProject(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<Project> {
  await requireProject(deps.db, caller.account.id, id, 'ownership')
  requireStepUp()
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id)
    const project = await requireProjectForChange(tx, caller.account.id, id, 'ownership')
    if (!project.archivedAt) return project
    if (!(await store.restoreToFreeSlot(tx, caller.account.id, id))) throw new ServiceError('too_many')
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'project_restored' })
    return requireProject(tx, caller.account.id, id, 'read')
  })
}

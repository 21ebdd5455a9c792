import type { CallbackEventName, ProjectView } from '@pazar/contract'

/** `payment.result` is always sent. */
export const OPTIONAL_EVENTS = ['refund.result', 'dispute.opened', 'dispute.closed'] as const
export type OptionalEvent = (typeof OPTIONAL_EVENTS)[number]

export type ProjectValues = {
  name: string
  resultUrl: string
  apiUrl: string
  testApiUrl: string
  requireSignedLinks: boolean
  /** In a new project, an empty text means the time zone of the account. */
  timeZone: string
} & Record<OptionalEvent, boolean>

/** A new project has no older links that must keep working, so signed links are required. */
export const EMPTY_PROJECT: ProjectValues = {
  name: '',
  resultUrl: '',
  apiUrl: '',
  testApiUrl: '',
  requireSignedLinks: true,
  timeZone: '',
  'refund.result': false,
  'dispute.opened': false,
  'dispute.closed': false,
}

export function toValues(project: ProjectView): ProjectValues {
  const { name, resultUrl, apiUrl, testApiUrl, requireSignedLinks, timeZone } = project
  return {
    name,
    resultUrl,
    apiUrl,
    testApiUrl: testApiUrl ?? '',
    requireSignedLinks,
    timeZone,
    'refund.result': project.events.includes('refund.result'),
    'dispute.opened': project.events.includes('dispute.opened'),
    'dispute.closed': project.events.includes('dispute.closed'),
  }
}

/**
 * Whether every project that the user owns still uses pages of the service (the result page or the inbox). If so, the
 * form proposes these pages for a new project.
 */
export function hasNoServerYet<P extends Pick<ProjectView, 'role'>>(
  projects: readonly P[],
  hasServicePages: (project: P) => boolean,
): boolean {
  return projects.every((project) => project.role !== 'owner' || hasServicePages(project))
}

export function toAddBody(values: ProjectValues) {
  const { name, resultUrl, apiUrl, testApiUrl, requireSignedLinks, timeZone } = values
  return {
    name,
    resultUrl: resultUrl.trim(),
    apiUrl: apiUrl.trim(),
    requireSignedLinks,
    ...(testApiUrl.trim() === '' ? {} : { testApiUrl: testApiUrl.trim() }),
    ...(timeZone === '' ? {} : { timeZone }),
    ...(OPTIONAL_EVENTS.some((event) => values[event]) ? { events: toEvents(values) } : {}),
  }
}

export type ChangedField = keyof ProjectValues

export function toChangedFields(oldValues: ProjectValues, newValues: ProjectValues): ChangedField[] {
  const fields: ChangedField[] = [
    'name',
    'resultUrl',
    'apiUrl',
    'testApiUrl',
    'requireSignedLinks',
    'timeZone',
    ...OPTIONAL_EVENTS,
  ]
  return fields.filter((field) => oldValues[field] !== newValues[field])
}

/**
 * Contains only the changed fields, so that two people who edit different fields do not undo each other's change. The
 * events are one field: the whole list is sent.
 */
export function toUpdateBody(projectId: string, oldValues: ProjectValues, newValues: ProjectValues) {
  const changed = new Set(toChangedFields(oldValues, newValues))
  return {
    projectId,
    ...(changed.has('name') ? { name: newValues.name } : {}),
    ...(changed.has('resultUrl') ? { resultUrl: newValues.resultUrl.trim() } : {}),
    ...(changed.has('apiUrl') ? { apiUrl: newValues.apiUrl.trim() } : {}),
    ...(changed.has('testApiUrl') ? { testApiUrl: newValues.testApiUrl.trim() || null } : {}),
    ...(changed.has('requireSignedLinks') ? { requireSignedLinks: newValues.requireSignedLinks } : {}),
    ...(changed.has('timeZone') ? { timeZone: newValues.timeZone } : {}),
    ...(OPTIONAL_EVENTS.some((event) => changed.has(event)) ? { events: toEvents(newValues) } : {}),
  }
}

function toEvents(values: ProjectValues): CallbackEventName[] {
  return ['payment.result', ...OPTIONAL_EVENTS.filter((event) => values[event])]
}

// The values of the project form, and the request bodies made from them.
import type { ProjectView } from '@pazar/contract'

export type ProjectValues = {
  name: string
  resultUrl: string
  apiUrl: string
  testApiUrl: string
  requireSignedLinks: boolean
}

/** Signed links by default: a new project has no older links that must keep working. */
export const EMPTY_PROJECT: ProjectValues = {
  name: '',
  resultUrl: '',
  apiUrl: '',
  testApiUrl: '',
  requireSignedLinks: true,
}

export function toValues(project: ProjectView): ProjectValues {
  const { name, resultUrl, apiUrl, testApiUrl, requireSignedLinks } = project
  return { name, resultUrl, apiUrl, testApiUrl: testApiUrl ?? '', requireSignedLinks }
}

export function toAddBody(values: ProjectValues) {
  const { testApiUrl, ...rest } = values
  const trimmed = { ...rest, resultUrl: rest.resultUrl.trim(), apiUrl: rest.apiUrl.trim() }
  return testApiUrl.trim() === '' ? trimmed : { ...trimmed, testApiUrl: testApiUrl.trim() }
}

export type ChangedField = keyof ProjectValues

export function toChangedFields(before: ProjectValues, after: ProjectValues): ChangedField[] {
  const fields: ChangedField[] = ['name', 'resultUrl', 'apiUrl', 'testApiUrl', 'requireSignedLinks']
  return fields.filter((field) => before[field] !== after[field])
}

/** Only what changed, so that two people who change two fields do not undo each other. */
export function toUpdateBody(projectId: string, before: ProjectValues, after: ProjectValues) {
  const changed = new Set(toChangedFields(before, after))
  return {
    projectId,
    ...(changed.has('name') ? { name: after.name } : {}),
    ...(changed.has('resultUrl') ? { resultUrl: after.resultUrl.trim() } : {}),
    ...(changed.has('apiUrl') ? { apiUrl: after.apiUrl.trim() } : {}),
    ...(changed.has('testApiUrl') ? { testApiUrl: after.testApiUrl.trim() || null } : {}),
    ...(changed.has('requireSignedLinks') ? { requireSignedLinks: after.requireSignedLinks } : {}),
  }
}

import { useQuery } from '@tanstack/react-query'
import type { ProjectView } from '@pazar/contract'
import { call } from './call.ts'
import { queryClient } from './session.ts'

export interface Projects {
  projects: ProjectView[]
  limit: number
}

const PROJECTS_KEY = ['projects']

export function useProjects() {
  return useQuery({
    queryKey: PROJECTS_KEY,
    queryFn: ({ signal }) => call<Projects>('/sdk/project/list', {}, { signal }),
  })
}

export function useProject(id: string | null) {
  return useQuery({
    queryKey: ['project', id],
    enabled: id !== null,
    queryFn: ({ signal }) => call<ProjectView>('/sdk/project/get', { projectId: id }, { signal }),
    placeholderData: () =>
      queryClient.getQueryData<Projects>(PROJECTS_KEY)?.projects.find((project) => project.id === id),
  })
}

/**
 * Whether the operator has not verified the owner's identity yet. False if `ownerVerified` is missing: a replica of the
 * previous release does not send this field, and a wrong warning is worse than none.
 */
export function isOwnerUnverified({ ownerVerified = true }: Partial<ProjectView>): boolean {
  return !ownerVerified
}

export async function addProject(body: object): Promise<ProjectView> {
  try {
    return await call<ProjectView>('/sdk/project/add', body)
  } catch (error) {
    // The project may exist although the response was lost.
    void queryClient.invalidateQueries({ queryKey: PROJECTS_KEY })
    throw error
  }
}

export function cacheProject(project: ProjectView): void {
  const queryKey = ['project', project.id]
  queryClient.setQueryData(queryKey, project)
  // The response to an earlier request would replace the new version.
  void queryClient.cancelQueries({ queryKey }).then(() => queryClient.setQueryData(queryKey, project))
  void queryClient.invalidateQueries({ queryKey: PROJECTS_KEY })
  void queryClient.invalidateQueries({ queryKey: ['history', project.id] })
}

/** Changes only the logo, because the project may have been saved during the upload. */
export function cacheLogo(projectId: string, logoUrl: string | null): void {
  const project = queryClient.getQueryData<ProjectView>(['project', projectId])
  if (project) cacheProject({ ...project, brand: { ...project.brand, logoUrl } })
}

export async function deleteProject(id: string): Promise<void> {
  await call(`/portal/api/projects/${id}/delete`, {})
  queryClient.removeQueries({ queryKey: ['project', id] })
  await queryClient.invalidateQueries({ queryKey: PROJECTS_KEY })
}

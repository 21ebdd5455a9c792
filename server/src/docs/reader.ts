// Finds the project whose id and URLs the examples show. Without a session or a project, the examples show placeholders.
// A secret is never filled in.
import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Guards } from '../accounts/guards.ts'
import { queryOf } from '../http/server.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import type { Project } from '../projects/project.ts'
import { listProjects } from '../projects/projects.ts'

export interface Reader {
  account: Account | null
  projects: readonly Project[]
  project: Project | null
  /** The id in the URL's query, if it is one of `projects`. Most links of the page's frame keep this id. */
  chosen: string | null
}

export async function findReader(deps: ProjectDeps, guards: Guards, req: FastifyRequest): Promise<Reader> {
  const caller = await guards.findSession(req)
  if (!caller) return { account: null, projects: [], project: null, chosen: null }
  const { projects: all } = await listProjects(deps, caller)
  const projects = all.filter((project) => project.archivedAt === null)
  const requestedId = queryOf(req).all('project')[0]
  const chosenProject = projects.find((project) => project.id === requestedId) ?? null
  return {
    account: caller.account,
    projects,
    project: chosenProject ?? projects[0] ?? null,
    chosen: chosenProject?.id ?? null,
  }
}

// Who is reading, and which of his projects the examples show. Without a session the examples keep their placeholders;
// a secret is never filled in for anybody.
import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Guards } from '../accounts/guards.ts'
import { queryOf } from '../http/server.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import type { Project } from '../projects/project.ts'
import { listProjects } from '../projects/projects.ts'

export interface Reader {
  account: Account | null
  /** The ones that take payments. */
  projects: readonly Project[]
  project: Project | null
  /** Chosen in the address, so that links of the page keep it. */
  chosen: string | null
}

export async function findReader(deps: ProjectDeps, guards: Guards, req: FastifyRequest): Promise<Reader> {
  const caller = await guards.findSession(req)
  if (!caller) return { account: null, projects: [], project: null, chosen: null }
  const { projects: all } = await listProjects(deps, caller)
  const projects = all.filter((project) => project.archivedAt === null)
  const wanted = queryOf(req).all('project')[0]
  const chosen = projects.find((project) => project.id === wanted) ?? null
  return {
    account: caller.account,
    projects,
    project: chosen ?? projects[0] ?? null,
    chosen: chosen?.id ?? null,
  }
}

import assert from 'node:assert/strict'
import type { StatsView } from '@pazar/contract'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import type { ClientResponse } from './client.ts'
import { startTestService } from './harness.ts'

export async function startStatsOwner() {
  const service = await startTestService()
  const { app, deps } = service
  const owner = await signUp(app)

  async function newProject(): Promise<string> {
    const projects = await rows<{ id: string }>(
      deps.db,
      'select id from projects where archived_at is null and owner_id in (select id from accounts where email = $1)',
      [owner.email],
    )
    // The older projects are archived, because an owner can have at most five projects that are not archived.
    for (const { id } of projects)
      await rows(deps.db, 'update projects set archived_at = now() where id = $1', [id])
    return (await owner.addProject()).id
  }

  function getStats(
    projectId: string,
    query: Record<string, string> = {},
    as = owner,
  ): Promise<ClientResponse> {
    return as.get(`/portal/api/projects/${projectId}/stats?${new URLSearchParams(query)}`)
  }

  async function readStats(projectId: string, query: Record<string, string> = {}): Promise<StatsView> {
    const response = await getStats(projectId, query)
    assert.equal(response.status, 200, response.text)
    return response.json<StatsView>()
  }
  return { service, app, deps, owner, newProject, getStats, readStats }
}

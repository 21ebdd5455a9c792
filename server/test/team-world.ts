// For tests of members: projects whose members are invited by mail, and two replicas.
import assert from 'node:assert/strict'
import type { MemberRole, MemberView } from '@pazar/contract'
import { readMailedToken, rows } from './accounts.ts'
import type { Client } from './client.ts'
import { signUp } from './client.ts'
import { startTestService } from './harness.ts'
import { until } from './until.ts'

export const VIEW_INVITATION_PATH = '/portal/api/invitations/view'
export const ACCEPT_INVITATION_PATH = '/portal/api/invitations/accept'

export interface Team {
  owner: Client
  id: string
  members: string
}

export async function startTeamWorld() {
  const service = await startTestService()
  const { app, deps } = service
  const other = await service.replica()

  async function newProject(): Promise<Team> {
    const owner = await signUp(app)
    const { id } = await owner.addProject()
    await owner.stepUp()
    return { owner, id, members: `/portal/api/projects/${id}/members` }
  }

  /** Returns the token in the mailed link. `by`: who invites. */
  async function invite(
    { owner, members }: Team,
    email: string,
    role: MemberRole,
    by = owner,
  ): Promise<string> {
    const response = await by.post(`${members}/invite`, { email, role })
    assert.equal(response.status, 202, response.text)
    assert.equal(response.text, '')
    return readMailedToken(service, email, 'project_invitation')
  }

  /** A new person is invited by the owner and joins with this role. */
  async function join(team: Team, role: MemberRole): Promise<Client> {
    const person = await signUp(app)
    const response = await person.post(ACCEPT_INVITATION_PATH, {
      token: await invite(team, person.email, role),
    })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.json()['role'], role)
    return person
  }

  /** Locks the project, sends a request that waits for the lock, runs `change` meanwhile, and returns the response. */
  async function changeDuring<T>(projectId: string, change: string, send: () => Promise<T>): Promise<T> {
    const waiting = await deps.db.transaction(async (tx) => {
      await rows(tx, 'select from projects where id = $1 for no key update', [projectId])
      const request = send()
      await until(async () => {
        const text = `select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%from projects%'`
        return (await rows(deps.db, text)).length > 0
      }, 'the request waits for the lock')
      await rows(tx, change, [projectId])
      return { request }
    })
    return waiting.request
  }

  return { service, app, deps, other, newProject, invite, join, changeDuring }
}

export async function listMembers({ owner, members }: Team): Promise<MemberView[]> {
  return (await owner.get(members)).json<{ members: MemberView[] }>().members
}

export function toFieldCode(response: { json<T>(): T }): string | undefined {
  return response.json<{ errors: { path: string; code: string }[] }>().errors.map(({ code }) => code)[0]
}

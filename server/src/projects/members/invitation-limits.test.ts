import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { copyClient } from '../../../test/accounts.ts'
import { startTeamWorld } from '../../../test/team-world.ts'

const { service, newProject } = await startTeamWorld()

test('invitations are also limited per person, so a new project does not give the person additional invitations', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_INVITE: '1' })
  const owner = copyClient((await newProject()).owner, limited.app)
  const statuses: number[] = []
  for (let round = 0; round <= PROJECTS_PER_ACCOUNT_MAX; round += 1) {
    const { id } = await owner.addProject()
    const path = `/portal/api/projects/${id}`
    const body = { email: `round-${round}@example.me`, role: 'support' }
    statuses.push((await owner.post(`${path}/members/invite`, body)).status)
    assert.equal((await owner.post(`${path}/delete`)).status, 204)
  }
  assert.deepEqual(statuses, [...Array<number>(PROJECTS_PER_ACCOUNT_MAX).fill(202), 429])
})

test('an invitation above the hourly limit of the project is refused', async () => {
  const world = await newProject()
  const env = { RATE_LIMITS: 'on', RATE_LIMIT_INVITE: '2' }
  const limited = await service.replica(env)
  const person = copyClient(world.owner, limited.app)
  const send = (n: number) =>
    person.post(`${world.members}/invite`, { email: `m${n}@example.me`, role: 'support' })
  assert.deepEqual([(await send(1)).status, (await send(2)).status], [202, 202])
  const refused = await send(3)
  assert.equal(refused.code, 'rate_limited')
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

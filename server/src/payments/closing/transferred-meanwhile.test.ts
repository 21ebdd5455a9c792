import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import type { Client } from '../../../test/client.ts'
import { recordStatements } from '../../../test/payments.ts'
import { startTeamWorld } from '../../../test/team-world.ts'
import type { Team } from '../../../test/team-world.ts'
import { findAccountByEmail } from '../../accounts/accounts-store.ts'
import { applyTransfers } from '../../projects/members/apply-transfer.ts'
import { closeAccount } from './close-account.ts'
import { deleteProject } from './delete-project.ts'

const { deps, other, newProject, join } = await startTeamWorld()

/** Creates an admin to whom the project is transferred. The transfer is due but not applied yet. Returns the admin. */
async function transferDue(team: Team): Promise<Client> {
  const person = await join(team, 'admin')
  const path = `/portal/api/projects/${team.id}/transfer`
  assert.equal((await team.owner.post(path, { email: person.email })).status, 202)
  await person.stepUp()
  assert.equal((await person.post(`${path}/accept`)).status, 202)
  await rows(deps.db, 'update project_transfers set due_at = now() where project_id = $1', [team.id])
  return person
}

/** Returns deps that apply the due transfers just before the first project is locked. */
function withTransferMeanwhile() {
  let isApplied = false
  return recordStatements(deps, async (name, run) => {
    if (name === 'projects.lock_key' && !isApplied) {
      isApplied = true
      assert.equal(await applyTransfers(other.deps), 1)
    }
    return run()
  }).deps
}

const roleOf = async (who: Client, { id }: Team) =>
  (await who.post('/sdk/project/get', { projectId: id })).json<{ role: string }>().role

test('a deletion requested by the former owner is refused if the project got a new owner meanwhile', async () => {
  const team = await newProject()
  const person = await transferDue(team)
  const account = (await findAccountByEmail(deps.db, team.owner.email))!
  const caller = { account, sessionId: null, token: null, stepUpUntil: null, ip: '', userAgent: '' }
  const requested = deleteProject(withTransferMeanwhile(), caller, team.id, () => undefined)
  await assert.rejects(requested, { code: 'forbidden_role' })
  assert.equal(await roleOf(person, team), 'owner')
})

test('closing the former owner’s account does not delete a project that got a new owner meanwhile', async () => {
  const team = await newProject()
  const person = await transferDue(team)
  const account = (await findAccountByEmail(deps.db, team.owner.email))!
  await assert.rejects(closeAccount(withTransferMeanwhile(), account, 'owner'), { code: 'forbidden_role' })
  assert.equal(await roleOf(person, team), 'owner')
  await closeAccount(deps, account, 'owner')
  assert.equal(await roleOf(person, team), 'owner')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmEmail, rows } from '../../../test/accounts.ts'
import type { Client } from '../../../test/client.ts'
import { signUp } from '../../../test/client.ts'
import { newOrder } from '../../../test/payments.ts'
import { startTeamWorld } from '../../../test/team-world.ts'
import type { Team } from '../../../test/team-world.ts'
import { confirmPayment } from '../confirm.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { app, deps, newProject, invite, join } = await startTeamWorld()

async function transferTo(team: Team, person: Client): Promise<void> {
  const path = `/portal/api/projects/${team.id}/transfer`
  assert.equal((await team.owner.post(path, { email: person.email })).status, 202)
  await person.stepUp()
  assert.equal((await person.post(`${path}/accept`)).status, 202)
}

async function close(person: Client): Promise<void> {
  await person.stepUp()
  const response = await person.post('/portal/api/account/close', { email: person.email })
  assert.equal(response.status, 204, response.text)
}

async function lastMailTo(email: string): Promise<string | undefined> {
  const text = `select concat_ws(' ', kind, facts ->> 'stage', facts ->> 'change', facts ->> 'by') as what from mails
    where to_address = $1 order by id desc limit 1`
  return (await rows<{ what: string }>(deps.db, text, [email]))[0]?.what
}

test('if the recipient of a transfer closes their account, the transfer is cancelled and the owner gets a mail', async () => {
  const team = await newProject()
  const person = await join(team, 'developer')
  await transferTo(team, person)
  await close(person)
  assert.equal(await lastMailTo(team.owner.email), 'ownership_transfer cancelled')
  assert.equal(await lastMailTo(person.email), 'account_closed')
  const history = await team.owner.get(`/portal/api/projects/${team.id}/history`)
  const [newest] = history.json<{ items: { action: string; actor: string }[] }>().items
  assert.deepEqual([newest?.action, newest?.actor], ['transfer_cancelled', 'owner'])
})

test('if a member closes their account, owner and admin get a mail, and a prepared secret is discarded', async () => {
  const team = await newProject()
  const [admin, person] = [await join(team, 'admin'), await join(team, 'developer')]
  await team.owner.stepUp()
  const next = `/portal/api/projects/${team.id}/next-secret`
  assert.equal((await team.owner.post(next)).status, 201)
  await close(person)
  for (const { email } of [team.owner, admin])
    assert.equal(await lastMailTo(email), `member_changed left ${person.email}`)
  assert.equal(await lastMailTo(person.email), 'account_closed')
  const history = await team.owner.get(`/portal/api/projects/${team.id}/history`)
  const [newest] = history.json<{ items: { action: string; actor: string }[] }>().items
  assert.deepEqual([newest?.action, newest?.actor], ['member_left', 'owner'])
  assert.deepEqual(await rows(deps.db, 'select from next_secrets where project_id = $1', [team.id]), [])
})

test('if an invited recipient of a transfer closes their account, the owner gets a mail', async () => {
  const team = await newProject()
  const person = await signUp(app)
  await invite(team, person.email, 'developer')
  await confirmEmail(deps.db, team.owner)
  const path = `/portal/api/projects/${team.id}/transfer`
  assert.equal((await team.owner.post(path, { email: person.email })).status, 202)
  await close(person)
  assert.equal(await lastMailTo(team.owner.email), 'ownership_transfer cancelled')
})

test('if the owner closes their account, all members get a mail, including the recipient of a waiting transfer', async () => {
  for (const hasLivePayment of [false, true]) {
    const team = await newProject()
    const [recipient, member] = [await join(team, 'admin'), await join(team, 'support')]
    await transferTo(team, recipient)
    if (hasLivePayment) {
      await confirmPayment(deps, newOrder(team.id))
      await changeCallbacks(
        deps.db,
        `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where project_id = $1`,
        [team.id],
      )
    }
    await close(team.owner)
    for (const { email } of [recipient, member])
      assert.equal(await lastMailTo(email), `membership_changed removed ${team.owner.email}`)
  }
})

test('if a project is deleted, its members get a mail', async () => {
  const team = await newProject()
  const member = await join(team, 'finance')
  assert.equal((await team.owner.post(`/portal/api/projects/${team.id}/delete`)).status, 204)
  assert.equal(await lastMailTo(member.email), `membership_changed removed ${team.owner.email}`)
  assert.equal(await lastMailTo(team.owner.email), 'project_deleted')
})

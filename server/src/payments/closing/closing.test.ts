import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMail, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { recordStatements } from '../../../test/payments.ts'
import { findRefusedRoles } from '../../../test/roles.ts'
import { countRows } from '../../../test/rows.ts'
import { raiseIncident } from '../incidents.ts'
import { deleteUnused } from './delete-project.ts'
import { startClosingWorld } from '../../../test/closing-world.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { service, app, deps, db, pay, deliverAll, ownerWithProject, fieldOf, close } =
  await startClosingWorld()

const remove = (owner: Client, id: string) => owner.post(`/portal/api/projects/${id}/delete`)

test('a project can be deleted only by its owner, after a step-up', async () => {
  const { owner, id } = await ownerWithProject()
  assert.equal((await remove(new Client(app), id)).code, 'unauthenticated')
  assert.equal((await remove(await signUp(app), id)).code, 'not_found')
  assert.equal((await remove(owner, id)).code, 'step_up_required')
  const refused = await findRefusedRoles(service, id, (one) => remove(one, id))
  assert.equal(refused, 'admin developer finance support')
  assert.equal((await owner.post(`/portal/api/projects/${id}/delete`, { name: 'x' })).code, 'invalid_request')
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).status, 200)
})

test('a project with only test payments is deleted with all its data', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const rowsBefore = await countRows(db)
  const { id } = await owner.addProject({ name: 'Proba' })
  const paid = await pay(id, { mode: 'test', customId: 'a' })
  await pay(id, { mode: 'test', amount: 4000n })
  await raiseIncident(deps, { kind: 'mismatch', transactionId: paid, subject: paid, facts: {} })
  await rows(db, 'update incidents set closed_at = now() where transaction_id = $1', [paid])
  await owner.post(`/portal/api/projects/${id}/test-callbacks`, { status: 'success', amount: '1500' })
  await deliverAll(id)

  const response = await remove(owner, id)
  assert.equal(response.status, 204, response.text)
  const rowsAfter = await countRows(db)
  // The account's history and the mails stay.
  assert.deepEqual(
    { ...rowsAfter, audit_events: 0n, mails: 0n, incident_mails: 0n },
    { ...rowsBefore, audit_events: 0n, mails: 0n, incident_mails: 0n },
  )
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).status, 404)
  assert.equal((await owner.get(`/pay?amount=1500&project=${id}&data=`)).status, 404)
  assert.equal((await remove(owner, id)).code, 'not_found')
  const { items } = (await owner.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(items[0]?.action, 'project_deleted')
  assert.ok(await findMail(service, owner.email, 'project_deleted'))
})

test('a project with a live payment, even a failed one, is not deleted', async () => {
  // The sandbox declines the amount 4000.
  for (const amount of [1500n, 4000n]) {
    const { owner, id } = await ownerWithProject()
    await owner.stepUp()
    await pay(id, { amount })
    await deliverAll(id)
    const response = await remove(owner, id)
    assert.equal(response.status, 400)
    assert.equal(fieldOf(response), 'project has_live_payments')
    assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  }
})

test('a project is not deleted while one of its payments is open, has an open incident or has a queued callback', async () => {
  const { owner, id } = await ownerWithProject()
  await owner.stepUp()
  // With this amount the payer has to visit the bank's page, so the payment stays open.
  const waiting = await pay(id, { mode: 'test', amount: 4004n })
  assert.equal(fieldOf(await remove(owner, id)), 'project payments_open')
  assert.equal(fieldOf(await close(owner)), 'account payments_open')
  await rows(
    db,
    `update transactions set state = 'expired', completed_at = now(), action_url = null, next_check_at = null where id = $1`,
    [waiting],
  )
  await raiseIncident(deps, { kind: 'mismatch', transactionId: waiting, subject: waiting, facts: {} })
  assert.equal(fieldOf(await remove(owner, id)), 'project payments_open')
  await rows(db, 'update incidents set closed_at = now() where transaction_id = $1', [waiting])

  await pay(id, { mode: 'test' })
  assert.equal(fieldOf(await remove(owner, id)), 'project callbacks_queued')
  assert.equal(fieldOf(await close(owner)), 'account callbacks_queued')
  await changeCallbacks(
    db,
    `update callbacks set status = 'sending', lease_until = now() + interval '1 hour' where project_id = $1`,
    [id],
  )
  assert.equal(fieldOf(await remove(owner, id)), 'project callbacks_queued')
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  await deliverAll(id)
  assert.equal((await remove(owner, id)).status, 204)
})

test('an interrupted deletion has deleted whole batches only, and continues when it is requested again', async () => {
  const { owner, id } = await ownerWithProject()
  await owner.stepUp()
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, completed_at)
     select gen_random_uuid(), $1, 'test', gen_random_uuid(), 1, 'EUR', 'succeeded', now() from generate_series(1, 1200)`,
    [id],
  )
  const [account] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [id])
  let batches = 0
  const failing = recordStatements(deps, async (name, run) => {
    if (name === 'closing.list_test_payments' && (batches += 1) === 3) throw new Error('killed')
    return run()
  })
  const ownerId = account!.owner_id as Parameters<typeof deleteUnused>[1]
  await assert.rejects(
    deleteUnused(failing.deps, ownerId, id, async () => undefined),
    /killed/,
  )
  const remaining = await rows(db, 'select from transactions where project_id = $1', [id])
  assert.equal(remaining.length, 200)
  assert.notEqual((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  assert.equal((await remove(owner, id)).status, 204)
  assert.equal((await rows(db, 'select from transactions where project_id = $1', [id])).length, 0)
  assert.equal((await rows(db, 'select from transaction_counts where project_id = $1', [id])).length, 0)
})

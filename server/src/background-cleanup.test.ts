import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { signUp } from '../test/client.ts'
import { startTestService } from '../test/harness.ts'
import { until } from '../test/until.ts'
import { startBackground } from './background.ts'

const { app, deps, logs } = await startTestService()
const { db } = deps

test('if one part of the cleanup fails, the other parts still run, and the loop does not count as active', async () => {
  const { email } = await signUp(app)
  await rows(db, `update sessions set expires_at = now() - interval '1 minute'`)
  await rows(
    db,
    'insert into factor_resets (account_id, due_at) select id, now() from accounts where email = $1',
    [email],
  )
  await rows(
    db,
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$`,
  )
  await rows(
    db,
    'create trigger refuse before delete on factor_resets for each row execute function refuse()',
  )
  const background = startBackground(deps)
  try {
    await until(async () => (await rows(db, 'select from sessions')).length === 0, 'old sessions are removed')
    await until(() => logs.some((line) => line.includes('cleaning up failed')), 'the failure is logged')
    assert.ok(!deps.metrics.listActiveLoops(60).includes('cleanup'))
    assert.match(await deps.metrics.text(), /^pazar_loop_heartbeat_seconds\{loop="cleanup"\} \d/m)
    assert.equal((await rows(db, 'select from factor_resets')).length, 1)
  } finally {
    await background.stop()
  }
})

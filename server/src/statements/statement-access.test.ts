import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTeamWorld } from '../../test/team-world.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { exportStatement } from './statement.ts'

const { deps, newProject, join } = await startTeamWorld()

const OF_MEMBER = 'where project_id = $1 and account_id = $2'

test('the download of a statement is aborted when its reader is removed from the project, demoted or signed out', async () => {
  const project = await newProject()
  // The first part of a download has a thousand entries, and this statement has more.
  await rows(
    deps.db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, created_at, completed_at)
     select gen_random_uuid(), $1, 'live', gen_random_uuid(), 1, 'EUR', 'succeeded', '2026-03-10Z', '2026-03-10Z'
     from generate_series(1, 1100)`,
    [project.id],
  )
  const query = { month: '2026-03', mode: 'live', format: 'csv' } as const
  for (const [change, code] of [
    [`delete from project_members ${OF_MEMBER}`, 'not_found'],
    [`update project_members set role = 'support' ${OF_MEMBER}`, 'forbidden_role'],
    [null, 'unauthenticated'],
  ] as const) {
    const { id } = (await findAccountByEmail(deps.db, (await join(project, 'finance')).email))!
    let isSignedIn = true
    const options = { projectId: project.id, query, locale: 'en' } as const
    const parts = await exportStatement(deps, id, options, async () => isSignedIn)
    let received = 0
    const read = async () => {
      for await (const part of parts) {
        received += part.length > 0 ? 1 : 0
        if (received < 2) continue
        if (change === null) isSignedIn = false
        else await rows(deps.db, change, [project.id, id])
      }
    }
    await assert.rejects(read, { code })
    assert.equal(received, 2, `${code}: the headings and the first part`)
  }
})

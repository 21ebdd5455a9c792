import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { recordStatements } from '../../test/payments.ts'
import { startTeamWorld } from '../../test/team-world.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { writePayLink } from './write-link.ts'

const { deps, newProject, join } = await startTeamWorld()

for (const [caseName, change, code] of [
  ['removed from the project', 'delete from project_members where project_id = $1', 'not_found'],
  [
    'given the role "finance"',
    "update project_members set role = 'finance' where project_id = $1",
    'forbidden_role',
  ],
] as const)
  test(`a person who is ${caseName} while the secret is read gets no signed link`, async () => {
    const project = await newProject()
    const account = (await findAccountByEmail(deps.db, (await join(project, 'support')).email))!
    const link = { projectId: project.id, amount: '1500', data: '', mode: 'live', signed: true } as const
    const write = (used: typeof deps) => writePayLink(used, { account, token: null }, link, 'operate')
    assert.match(await write(deps), /[?&]sig=/)
    const depsWithChange = recordStatements(deps, async (name, run) => {
      if (name === 'secrets.find') await rows(deps.db, change, [project.id])
      return run()
    })
    await assert.rejects(write(depsWithChange.deps), { code })
  })

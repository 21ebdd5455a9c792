// Two projects without callbacks, for tests of SQL statements that must find only the rows of one project.
import { beforeEach } from 'node:test'
import type { CallbackDeps } from '../src/callbacks/deps.ts'
import { rows } from './accounts.ts'
import { addAttemptTo } from './attempts.ts'
import type { AttemptFields } from './attempts.ts'
import { addCallbackProject } from './deliveries.ts'
import { changeCallbacks } from './stored-forms.ts'

const CALLBACK_URL = 'https://shop.example.com/callback'

export async function startCallbackScopes(deps: CallbackDeps) {
  const { db } = deps
  const projectId = await addCallbackProject(deps, CALLBACK_URL)
  const otherId = await addCallbackProject(deps, CALLBACK_URL)
  beforeEach(async () => {
    await rows(db, 'truncate callbacks, callback_lanes cascade')
  })
  return {
    projectId,
    otherId,
    addAttempt: (callbackId: string, { of = projectId, ...fields }: AttemptFields & { of?: string } = {}) =>
      addAttemptTo(db, { projectId: of, url: CALLBACK_URL }, callbackId, fields),
    setColumns: (callbackId: string, columns: string) =>
      changeCallbacks(db, `update callbacks set ${columns} where id = $1`, [callbackId]),
  }
}

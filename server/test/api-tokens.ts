// An owner's program in tests: a client without cookies that sends an API token.
import assert from 'node:assert/strict'
import type { TokenScope } from '@pazar/contract'
import type { Http } from '../src/http/server.ts'
import { Client } from './client.ts'

export interface MadeToken {
  id: string
  name: string
  scope: TokenScope
  expiresAt: string
  token: string
}

/** Makes a token, after a step-up of its owner. */
export async function makeToken(owner: Client, options: object = {}): Promise<MadeToken> {
  await owner.stepUp()
  const body = { name: 'CI', scope: 'write', expiresInDays: 30, ...options }
  const answer = await owner.post('/portal/api/tokens', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<MadeToken>()
}

export function programWith(app: Http, token: string): Client {
  const program = new Client(app)
  program.headers = { authorization: `Bearer ${token}` }
  return program
}

// API tokens for tests, and clients that send such a token.
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

export async function makeToken(owner: Client, options: object = {}): Promise<MadeToken> {
  await owner.stepUp()
  const body = { name: 'CI', scope: 'write', expiresInDays: 30, ...options }
  const response = await owner.post('/portal/api/tokens', body)
  assert.equal(response.status, 201, response.text)
  return response.json<MadeToken>()
}

export function clientWithToken(app: Http, token: string): Client {
  const apiClient = new Client(app)
  apiClient.headers = { authorization: `Bearer ${token}` }
  return apiClient
}

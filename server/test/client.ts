// A merchant's browser or script in tests: stores cookies, sends JSON, and can step up.
import assert from 'node:assert/strict'
import type { Http } from '../src/http/server.ts'

export interface ClientResponse {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  json<T = Record<string, unknown>>(): T
  /** The error code of a response with the type application/problem+json, otherwise ''. */
  code: string
  cookies: { name: string; value: string }[]
}

export class Client {
  readonly app: Http
  readonly jar = new Map<string, string>()
  email = ''
  password = ''
  headers: Record<string, string> = {}

  constructor(app: Http) {
    this.app = app
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ClientResponse> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...this.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const one of response.cookies) {
      if (one.value === '' || one.maxAge === 0) this.jar.delete(one.name)
      else this.jar.set(one.name, one.value)
    }
    const isProblem = String(response.headers['content-type']).startsWith('application/problem+json')
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      json: <T>() => JSON.parse(response.payload) as T,
      code: isProblem ? (JSON.parse(response.payload) as { code: string }).code : '',
      cookies: response.cookies,
    }
  }

  post(url: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<ClientResponse> {
    return this.send('POST', url, body, headers)
  }

  get(url: string, headers: Record<string, string> = {}): Promise<ClientResponse> {
    return this.send('GET', url, undefined, headers)
  }

  async stepUp(): Promise<void> {
    const response = await this.post('/portal/api/step-up', { password: this.password })
    assert.equal(response.status, 200, response.text)
  }

  async addProject(fields: Record<string, unknown> = {}): Promise<{ id: string } & Record<string, unknown>> {
    const response = await this.post('/sdk/project/add', { ...GOOD_PROJECT, ...fields })
    assert.equal(response.status, 201, response.text)
    return response.json()
  }
}

export const GOOD_PROJECT = {
  name: 'Knjižara Šćepan',
  resultUrl: 'https://shop.example.com/hvala',
  apiUrl: 'https://shop.example.com/pazar/callback',
}

let accountCount = 0

export async function signUp(app: Http): Promise<Client> {
  accountCount += 1
  const client = new Client(app)
  client.email = `owner-${process.pid}-${accountCount}@example.com`
  client.password = `long winding password ${accountCount}`
  const response = await client.post('/portal/api/sign-up', {
    email: client.email,
    password: client.password,
  })
  assert.equal(response.status, 201, response.text)
  return client
}

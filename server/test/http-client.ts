// An HTTP client for tests. It stores cookies and sends JSON.
import assert from 'node:assert/strict'

export class HttpClient {
  readonly baseUrl: string
  readonly jar = new Map<string, string>()

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const separator = pair.indexOf('=')
      this.jar.set(pair.slice(0, separator), pair.slice(separator + 1))
    }
    const text = await response.text()
    return {
      status: response.status,
      json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    }
  }

  async ok(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await this.send(method, path, body)
    assert.ok(response.status < 300, `${path}: ${response.status} ${JSON.stringify(response.json)}`)
    return response.json
  }
}

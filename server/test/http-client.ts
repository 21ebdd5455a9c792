// A merchant's script over real HTTP: stores cookies and sends JSON, like curl with a cookie jar.
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
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const cut = pair.indexOf('=')
      this.jar.set(pair.slice(0, cut), pair.slice(cut + 1))
    }
    const text = await answer.text()
    return {
      status: answer.status,
      json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    }
  }

  async ok(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.send(method, path, body)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.json)}`)
    return answer.json
  }
}

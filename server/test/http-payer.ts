// A payer over real HTTP: opens a link, submits the form, and notices a missing response.
import assert from 'node:assert/strict'
import { toLink } from './payer.ts'
import type { PayProject } from './payer.ts'

export interface PayerResponse {
  /** 0: no complete response arrived, so the outcome of the request may be unknown. */
  status: number
  body: Record<string, unknown>
  retryAfter: string | null
}

const NO_RESPONSE: PayerResponse = { status: 0, body: {}, retryAfter: null }

async function request(url: string, init: RequestInit): Promise<PayerResponse> {
  try {
    const response = await fetch(url, init)
    // A proxy's own error page is not JSON.
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const body = isJson ? ((await response.json()) as Record<string, unknown>) : {}
    if (!isJson) await response.body?.cancel()
    return { status: response.status, body, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    if (error instanceof TypeError) return NO_RESPONSE
    throw error
  }
}

export function openLink(baseUrl: string, link: string): Promise<PayerResponse> {
  return request(`${baseUrl}${link}`, { headers: { accept: 'application/json' } })
}

export async function openForToken(
  baseUrl: string,
  shop: PayProject,
  fields: Parameters<typeof toLink>[1],
): Promise<string> {
  const { status, body } = await openLink(baseUrl, toLink(shop, fields))
  assert.equal(status, 200, JSON.stringify(body))
  return String(body['token'])
}

export function pressPay(baseUrl: string, token: string): Promise<PayerResponse> {
  return request(`${baseUrl}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ token }),
  })
}

/** The payment's state, the problem's code, or 'no response'. */
export function toOutcome({ status, body }: PayerResponse): string {
  return status === 200 ? String(body['status']) : status === 0 ? 'no response' : String(body['code'])
}

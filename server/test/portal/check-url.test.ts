import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUrlFault } from '../../../portal/src/parts/project-form/check-url.ts'
import { toUrlCode } from '../../src/projects/check-urls.ts'
import { parseCallbackUrl, parsePublicHttpsUrl, parseResultUrl } from '../../src/egress/url-rules.ts'
import * as corpus from '../url-corpus.ts'

const NO_HOSTS: ReadonlySet<string> = new Set()

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return textsIn([...value.entries()])
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  return []
}

const texts = [
  ...textsIn(Object.values(corpus)),
  'https://shop.example.com/callback',
  'http://shop.example.com/callback',
  'https://localhost/callback',
  'http://localhost:3000/callback',
  'http://shop.localhost./callback',
  'http://127.0.0.1:8080/callback',
  'http://[::1]/callback',
  'https://shop.example.com/callback#part',
  'https://user:word@shop.example.com/',
  'shop.example.com',
  'shop.example.com:8080/callback',
  'localhost:3000/thanks',
  'https://',
  'https://10.0.0.1/',
  'https://10.shop.me/callback',
  'https://127.shop.me/callback',
  'https://192.168.shop.me/callback',
  'https://172.16.shop.me/callback',
  'http://10.shop.me/callback',
  `https://shop.example.com/${'a'.repeat(2100)}`,
]

test('if the portal refuses a URL while the user types, the service refuses it for the same reason', () => {
  let refused = 0
  for (const text of texts) {
    for (const [rule, field, parse] of [
      ['callback', 'apiUrl', (url: string) => parseCallbackUrl(url, NO_HOSTS)],
      ['public-page', 'resultUrl', (url: string) => parsePublicHttpsUrl(url, NO_HOSTS)],
      ['any-page', 'resultUrl', parseResultUrl],
    ] as const) {
      const fault = findUrlFault(text, rule, [])
      if (fault === null) continue
      refused += 1
      const { problem } = parse(text)
      assert.ok(problem, `${rule}: the service accepts ${JSON.stringify(text)}`)
      assert.equal(fault, toUrlCode(field, text, problem), `${rule}: ${JSON.stringify(text)}`)
    }
  }
  assert.ok(refused > 50, String(refused))
})

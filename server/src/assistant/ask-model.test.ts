import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Hit } from '../docs/search.ts'
import { askModel, ModelError } from './model.ts'
import { cutSection } from './quote.ts'

const AI = { baseUrl: 'https://models.example.me/v1', apiKey: 'key-of-the-operator', model: 'small' }

function toHit(n: number, markdown: string): Hit {
  const section = {
    anchor: `a${n}`,
    heading: `Heading ${n}`,
    level: 2,
    markdown,
    text: markdown,
    code: '',
    prose: markdown,
    rows: [],
    keywords: '',
    questions: '',
  }
  const page = {
    slug: `page-${n}`,
    title: `Page ${n}`,
    summary: '',
    html: '',
    markdown,
    sections: [section],
    locale: 'en',
  } as const
  return { page, section, score: 1, terms: new Set(), typed: [], share: 1, hasFieldName: false }
}

const toQuestion = (hits: readonly Hit[] = []) => ({
  prompt: 'How?',
  locale: 'en' as const,
  hits,
  project: null,
})

interface Sent {
  url: string
  init: RequestInit
  body: { model: string; messages: { content: string }[]; max_tokens: number; temperature: number }
}

function mockModel(t: TestContext, content: string): Sent[] {
  const sent: Sent[] = []
  t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit & { body: string }) => {
    sent.push({ url, init, body: JSON.parse(init.body) as Sent['body'] })
    return new Response(JSON.stringify({ choices: [{ message: { content } }] }))
  })
  return sent
}

test('the request has the operator’s API key, if one is set, and a redirect is an error', async (t) => {
  const sent = mockModel(t, 'fine')
  assert.equal(await askModel(AI, toQuestion()), 'fine')
  await askModel({ ...AI, apiKey: null }, toQuestion())
  const [first, second] = sent
  assert.deepEqual(
    [first?.url, first?.init.method, first?.init.redirect],
    ['https://models.example.me/v1/chat/completions', 'POST', 'error'],
  )
  assert.equal(new Headers(first?.init.headers).get('authorization'), 'Bearer key-of-the-operator')
  assert.equal(new Headers(second?.init.headers).has('authorization'), false)
})

test('an answer may have 900 tokens, and the model may take twenty seconds', async (t) => {
  const waits: number[] = []
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    waits.push(ms)
    return new AbortController().signal
  })
  const sent = mockModel(t, 'fine')
  await askModel(AI, toQuestion())
  const { model, max_tokens, temperature } = sent[0]!.body
  assert.deepEqual([model, max_tokens, temperature, waits], ['small', 900, 0.2, [20_000]])
})

test('the model reads the five best passages, each cut to whole blocks', async (t) => {
  const sent = mockModel(t, 'fine')
  const longMarkdown = `${'a'.repeat(1_500)}\n\n${'b'.repeat(400)}\n\n${'c'.repeat(400)}`
  await askModel(
    AI,
    toQuestion(Array.from({ length: 7 }, (_, n) => toHit(n + 1, n === 0 ? longMarkdown : `text ${n + 1}`))),
  )
  const { content } = sent[0]!.body.messages[0]!
  for (const n of [1, 2, 3, 4, 5]) assert.ok(content.includes(`## Page ${n}: Heading ${n}`), String(n))
  assert.doesNotMatch(content, /Page 6|Page 7/)
  assert.ok(content.includes('b'.repeat(400)) && !content.includes('ccc'))
})

test('a response of more than 256 KiB is refused, and the answer is cut to 8000 characters', async (t) => {
  mockModel(t, 'x'.repeat(200 * 1024))
  assert.equal((await askModel(AI, toQuestion())).length, 8_000)
  mockModel(t, 'x'.repeat(257 * 1024))
  await assert.rejects(askModel(AI, toQuestion()), new ModelError('the response is too long'))
})

test('a section is cut between blocks, and a long first block at twice the limit; comments and link targets are removed', () => {
  const cut = (markdown: string, max: number) => cutSection(toHit(1, markdown).section, max)
  assert.equal(cut('one\n\ntwo\n\nthree', 6), 'one\n\ntwo')
  assert.equal(cut('one\n\ntwo\n\nthree', 7), 'one\n\ntwo')
  assert.equal(cut('longer than that\n\ntwo', 4), 'longer t')
  assert.equal(cut('```\na\n\nb\n```\n\nend', 12), '```\na\n\nb\n```')
  assert.equal(cut('<!-- for authors -->\nsee [the guide](guide.md)', 100), 'see the guide')
})

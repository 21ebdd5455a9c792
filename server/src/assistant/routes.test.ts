import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptAnswer } from '@pazar/contract'
import { PROMPT_MAX } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import type { AccountId } from '../accounts/account.ts'
import type { Library } from '../docs/library.ts'
import type { Section } from '../docs/markdown.ts'
import type { Hit } from '../docs/search.ts'
import { answerPrompt } from './assistant.ts'

const service = await startTestService({ BASE_URL: 'https://pay.shop.test' })
const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_AI_PROMPT: '2' })
const PROMPT_URL = '/sdk/ai/prompt'
const QUESTION = 'How do I verify a callback?'

test('a question is answered from the documentation, with its sources and without a model', async () => {
  const owner = await signUp(service.app)
  const answer = await owner.post(PROMPT_URL, { prompt: QUESTION })
  assert.equal(answer.status, 200)
  const body = answer.json<PromptAnswer>()
  assert.deepEqual(Object.keys(body).toSorted(), ['answer', 'model', 'sources'])
  assert.equal(body.model, null)
  assert.match(body.answer, /HMAC-SHA256 over `webhook-id\.webhook-timestamp\.body`/)
  assert.deepEqual(body.sources[0], {
    title: 'Callbacks › Verify the signature',
    url: 'https://pay.shop.test/en/docs/callbacks#verify-the-signature',
  })
  assert.ok(body.sources.length <= 3)
  assert.doesNotMatch(body.answer, /\]\(|<!--/)
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('the answer is in the requested language, or in the caller’s language if none is requested', async () => {
  const owner = await signUp(service.app)
  const prompt = 'Kako da provjerim potpis?'
  const requested = (await owner.post(PROMPT_URL, { prompt, locale: 'cnr' })).json<PromptAnswer>()
  assert.match(requested.sources[0]?.url ?? '', /\/cnr\/docs\/callbacks#provjerite-potpis$/)
  await owner.post('/portal/api/account', { locale: 'cnr' })
  assert.deepEqual((await owner.post(PROMPT_URL, { prompt })).json<PromptAnswer>(), requested)
})

test('if the request names a project, the examples in the answer contain the project’s id and no secret', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const prompt = 'Set up your terminal for the API reference'
  const { answer } = (await owner.post(PROMPT_URL, { prompt, projectId: id })).json<PromptAnswer>()
  assert.ok(answer.includes(`PAZAR_PROJECT_ID=${id}`), answer)
  assert.doesNotMatch(answer, /sk_(?:live|test)_[0-9a-f]{20}/)
})

test('a question that matches no section gets the list of pages as its source', async () => {
  const owner = await signUp(service.app)
  const { answer, sources } = (await owner.post(PROMPT_URL, { prompt: 'zzqx wwvy' })).json<PromptAnswer>()
  assert.equal(answer, catalogue('en').assistant.nothing)
  assert.deepEqual(sources, [{ title: 'Documentation', url: 'https://pay.shop.test/en/docs' }])
})

test('API tokens are accepted, and requests without credentials or from another site are refused', async () => {
  const owner = await signUp(service.app)
  for (const scope of ['read', 'write']) {
    const { token } = await makeToken(owner, { scope })
    assert.equal(
      (await clientWithToken(service.app, token).post(PROMPT_URL, { prompt: QUESTION })).status,
      200,
      scope,
    )
  }
  assert.equal((await new Client(service.app).post(PROMPT_URL, { prompt: QUESTION })).code, 'unauthenticated')
  const crossSite = await owner.post(PROMPT_URL, { prompt: QUESTION }, { origin: 'https://evil.example' })
  assert.equal(crossSite.code, 'forbidden_origin')
})

test('another account’s project is not found', async () => {
  const [owner, other] = [await signUp(service.app), await signUp(service.app)]
  const { id } = await other.addProject()
  for (const projectId of [id, 'abcdefghijklmnopqrstuvwx'])
    assert.equal((await owner.post(PROMPT_URL, { prompt: QUESTION, projectId })).code, 'not_found')
})

test('a prompt of 4000 characters is accepted; a blank prompt, a longer prompt and invalid fields are refused', async () => {
  const owner = await signUp(service.app)
  const wrongBodies: object[] = [
    {},
    { prompt: '' },
    { prompt: ' \n ' },
    { prompt: 7 },
    { prompt: 'x'.repeat(PROMPT_MAX + 1) },
    { prompt: QUESTION, locale: 'de' },
    { prompt: QUESTION, projectId: '../x' },
    { prompt: QUESTION, tools: [] },
    { prompt: QUESTION, model: 'other' },
  ]
  for (const body of wrongBodies) {
    const answer = await owner.post(PROMPT_URL, body)
    assert.equal(answer.code, 'invalid_request', JSON.stringify(body).slice(0, 60))
    assert.ok(answer.json<{ errors: unknown[] }>().errors.length > 0)
  }
  // Characters are counted, not bytes: 𝕏 has four bytes.
  for (const prompt of ['x'.repeat(PROMPT_MAX), '𝕏'.repeat(PROMPT_MAX)])
    assert.equal((await owner.post(PROMPT_URL, { prompt })).status, 200)
})

test('the limit per minute counts the requests of all sessions and tokens of an account together', async () => {
  const owner = await signUp(limited.app)
  const { token } = await makeToken(owner)
  const apiClient = clientWithToken(limited.app, token)
  const codes = []
  for (const caller of [owner, apiClient, owner, apiClient])
    codes.push((await caller.post(PROMPT_URL, { prompt: QUESTION })).code)
  assert.deepEqual(codes, ['', '', 'rate_limited', 'rate_limited'])
  const refused = await owner.post(PROMPT_URL, { prompt: QUESTION })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await (await signUp(limited.app)).post(PROMPT_URL, { prompt: QUESTION })).status, 200)
})

const facts = { summary: '', html: '', markdown: '', sections: [], locale: 'en' } as const

function toSection(anchor: string): Section {
  const texts = { markdown: 'text', text: 'text', code: '', prose: 'text', keywords: '', questions: '' }
  return { anchor, heading: anchor, level: 2, rows: [], ...texts }
}

async function findSources(hits: Hit[]): Promise<string[]> {
  const library: Partial<Library> = { search: () => hits }
  const deps = { ...service.deps, library: library as Library }
  const { sources } = await answerPrompt(deps, 'owner' as AccountId, { prompt: QUESTION, locale: 'en' })
  return sources.map(({ url }) => url)
}

test('a section that hardly matches the question is a source only if it contains an API name from the question', async () => {
  const page = { ...facts, slug: 'pay-links', title: 'Pay links' }
  const hit = {
    page,
    section: toSection('customid'),
    score: 5,
    share: 0.1,
    terms: new Set<string>(),
    typed: [],
  }
  assert.deepEqual(await findSources([{ ...hit, hasFieldName: false }]), ['https://pay.shop.test/en/docs'])
  assert.deepEqual(await findSources([{ ...hit, hasFieldName: true }]), [
    'https://pay.shop.test/en/docs/pay-links#customid',
  ])
})

test('at most three pages are named as sources, each page once, with its best section', async () => {
  const hits = ['one', 'two', 'three', 'four'].flatMap((slug) => {
    const page = { ...facts, slug, title: slug }
    const match = { score: 50, share: 1, terms: new Set<string>(), typed: [], hasFieldName: false }
    return ['best', 'second'].map((anchor) => ({ page, section: toSection(anchor), ...match }))
  })
  assert.deepEqual(
    await findSources(hits),
    ['one', 'two', 'three'].map((slug) => `https://pay.shop.test/en/docs/${slug}#best`),
  )
})

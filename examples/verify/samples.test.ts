// Runs the samples that merchants copy. Their input comes from the tables of vectors.ts and from the real service.
// Why this is long: every check uses the same service and prepared interpreters.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import { buildPayUrl, safeVerifyCallback, SecretError, signTestCallback } from '@pazar/sdk'
import {
  cutSample,
  fillSample,
  SAMPLE_LANGUAGES,
  SAMPLE_NAMES,
  SAMPLE_PLACEHOLDERS,
  toSamplePath,
} from '@pazar/words'
import type { SampleName } from '@pazar/words'
import { startDeliveryWorker } from '../../server/src/callbacks/worker-loop.ts'
import { runShare } from '../../server/test/counts.ts'
import { makeToken } from '../../server/test/api-tokens.ts'
import { signUp } from '../../server/test/client.ts'
import { startTestService } from '../../server/test/harness.ts'
import { startMerchant } from '../../server/test/merchant.ts'
import { addPayProject, Payer, toLink } from '../../server/test/payer.ts'
import { payFor } from '../../server/test/refunds.ts'
import { until } from '../../server/test/until.ts'
import { prepareSamples } from './tools.ts'
import type { RunResult, ReadyLanguage } from './tools.ts'
import { HARD_DATA, LINKS, RARE_CASES, WRONG_TYPES, USUAL_CASES } from './vectors.ts'
import type { VerifyInput, Vector } from './vectors.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** An amount that the sandbox declines. */
const DECLINED_AMOUNT = '4000'

const dir = mkdtempSync(path.join(tmpdir(), 'pazar-samples-'))
const { ready, missing } = prepareSamples(dir)
const merchant = await startMerchant()
// This hook is registered before the hooks of the service, because the worker must stop before the database is closed.
test.after(async () => {
  await worker.stop()
  await merchant.close()
  rmSync(dir, { recursive: true, force: true })
})
const { app, deps } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
await app.listen({ port: 0, host: '127.0.0.1' })
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const worker = startDeliveryWorker(deps)
const shop = await addPayProject(deps, { apiUrl: merchant.url })

/**
 * Returns the result as the tables of vectors.ts write it: `ok`, `ok paid` or the reason of a refusal. After an unexpected
 * exit, returns the exit code and the output.
 */
function toResultText({ output, code }: RunResult, transactionId: string): string {
  const known = output.replace(`ok ${transactionId}\n`, 'ok\n')
  if (code === 0) return known.trim().replace('\norder ', ' ')
  return code === 1 && known.startsWith('refused ')
    ? known.slice('refused '.length).trim()
    : `${code}: ${output}`
}

async function runVerify(sample: ReadyLanguage, given: VerifyInput): Promise<string> {
  const transactionId = /"transactionId":"([^"]+)"/.exec(given.body)?.[1] ?? ''
  const ran = await sample.run('verify', { input: JSON.stringify(given) })
  return toResultText(ran, transactionId) + ran.errors
}

/** Pays and returns the callback that the merchant's server received. */
async function payAndReceive(fields: Parameters<typeof toLink>[1]): Promise<VerifyInput> {
  const { customId } = fields ?? {}
  await new Payer(app).pay(toLink(shop, { ...fields, signed: true }))
  const { headers, raw } = await until(
    () => merchant.received.find(({ body }) => body['customId'] === customId),
    `the callback of ${customId} arrives`,
  )
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return {
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    body: raw.toString(),
    secret: shop.secrets[fields?.mode ?? 'live'],
    expectedAmount: fields?.amount ?? '1500',
    now: Number(headers['webhook-timestamp']),
  }
}

test('every language is either ready or listed as missing, and TypeScript is ready', (t) => {
  t.diagnostic(`run here: ${ready.map(({ language }) => language).join(', ')}`)
  assert.equal(ready.length + missing.length, SAMPLE_LANGUAGES.length)
  assert.ok(ready.some(({ language }) => language === 'TypeScript'))
})

test('the SDK gives the expected result for every callback of the table', async () => {
  for (const { name, given, expected, sdkExpected = expected } of [...USUAL_CASES, ...RARE_CASES]) {
    const { headers, body, secret, expectedAmount, now: nowSec } = given
    const options = { secret: secret.split(' '), expectedAmount, nowSec, events: CALLBACK_EVENTS }
    const verdict = await safeVerifyCallback(body, headers, options).then(
      (result) => (result.ok ? 'ok' : result.reason),
      (error: unknown) => (error instanceof SecretError ? 'no_secret' : assert.fail(String(error))),
    )
    assert.equal(verdict, sdkExpected.replace(/^ok .*/, 'ok'), name)
  }
})

for (const { language, reason } of missing) test(`${language}: the samples`, { skip: reason })

/**
 * Returns one of the cases: languages take turns. In `npm run prove`, returns all cases. Each case starts a program, which
 * takes long.
 */
function takeTurns<T>(all: readonly T[], language: number): readonly T[] {
  return runShare === 'prove' ? all : [all[language % all.length]!]
}

/** Cases with `isForAll` run in every language, also in `npm test`. */
function selectVectors(language: number): readonly Vector[] {
  if (runShare === 'prove') return [...USUAL_CASES, ...RARE_CASES]
  return USUAL_CASES.filter((vector, n) => vector.isForAll || n % ready.length === language)
}

for (const [n, sample] of ready.entries()) {
  const vectors = selectVectors(n)
  test(`${sample.language}: the callbacks of the table are accepted, or refused for the right reason`, async (t) => {
    t.diagnostic(`${vectors.length} callbacks (${runShare} share)`)
    const wrong: string[] = []
    for (const { name, given, expected } of vectors) {
      const resultText = await runVerify(sample, given)
      if (resultText !== expected) wrong.push(`${name}: ${resultText} instead of ${expected}`)
    }
    assert.deepEqual(wrong, [])
  })

  test(`${sample.language}: a signed body with a field of another type is refused`, async () => {
    for (const given of takeTurns(WRONG_TYPES, n)) {
      const { output, code } = await sample.run('verify', { input: JSON.stringify(given) })
      assert.match(`${code} ${output}`, /^1 refused \w+\n$/, given.body)
    }
  })

  test(`${sample.language}: verify uses the current time, and reads a file or stdin`, async () => {
    const { secret } = USUAL_CASES[0]!.given
    const { now: _now, ...given } = USUAL_CASES[0]!.given
    const sign = (nowSec: number): VerifyInput => {
      const { body, headers } = signTestCallback({ secret, nowSec, transactionId: 'tx' })
      return { ...given, body, headers: { ...headers } }
    }
    const nowSec = Math.floor(Date.now() / 1000)
    assert.equal(await runVerify(sample, sign(nowSec - 3_600)), 'expired')
    const file = path.join(dir, 'given.json')
    writeFileSync(file, JSON.stringify(sign(nowSec)))
    assert.equal((await sample.run('verify', { args: [file] })).output, 'ok tx\n')
  })
}

test('callbacks of the real service are accepted in every language', async () => {
  const received = [
    await payAndReceive({ customId: 'order-1', data: HARD_DATA }),
    await payAndReceive({ customId: 'order-2', amount: DECLINED_AMOUNT }),
    await payAndReceive({ customId: 'order-3', mode: 'test' }),
  ]
  for (const [n, sample] of ready.entries()) {
    for (const given of takeTurns(received, n))
      assert.equal(await runVerify(sample, given), 'ok', sample.language)
    if (runShare === 'ci') continue
    const tampered = { ...received[0]!, body: received[0]!.body.replace('1500', '1') }
    assert.equal(await runVerify(sample, tampered), 'bad_signature', sample.language)
  }
})

test('the real status check works in every language: paid, not paid, and an error for a wrong secret', async () => {
  const customId = 'order "7" \\ Šljiva 🛒'
  await payAndReceive({ customId })
  for (const [n, sample] of ready.entries()) {
    const check = async (secret: string, ...question: string[]) => {
      const args = [baseUrl, shop.id, ...question]
      const { output, code, errors } = await sample.run('check', { args, env: { PAZAR_SECRET: secret } })
      return { resultText: output.trim(), code, errors }
    }
    const { live } = shop.secrets
    const paid = { resultText: 'paid', code: 0, errors: '' }
    const notPaid = { resultText: 'not paid', code: 1, errors: '' }
    for (const question of takeTurns([[customId], [customId, '1500']], n))
      assert.deepEqual(await check(live, ...question), paid, sample.language)
    for (const [secret, ...question] of takeTurns(
      [
        [live, customId, '1'],
        [live, 'order-unknown'],
        // The test secret reads test payments, but this order was paid in live mode.
        [shop.secrets.test, customId],
      ] as const,
      n,
    ))
      assert.deepEqual(await check(secret, ...question), notPaid, sample.language)
    const refused = await check(`${live}x`, customId)
    assert.deepEqual([refused.resultText, refused.code], ['', 2], sample.language)
    assert.match(refused.errors, /401|[Uu]nauthorized/, sample.language)
    assert.ok(!refused.errors.includes(live), sample.language)
  }
})

test('every language refunds once per key, reports a refusal, and reads every event', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject()
  const { token } = await makeToken(owner, { scope: 'refund', projectId, dailyCap: '999999' })
  const env = { PAZAR_TOKEN: token }
  let refunded = 0
  for (const [n, sample] of ready.entries()) {
    const { id: transactionId } = await payFor(deps, projectId)
    const refund = (...what: string[]) =>
      sample.run('refund', { args: [baseUrl, projectId, transactionId, ...what], env })
    const partRefund = await refund('500', `part-${n}`)
    assert.match(
      partRefund.output,
      /^re_[0-9a-f]{32} succeeded\n$/,
      `${sample.language}: ${partRefund.errors}`,
    )
    assert.deepEqual(await refund('500', `part-${n}`), partRefund, `${sample.language}: the same key`)
    const refundsRest = n % 2 === 0 || runShare === 'prove'
    if (refundsRest) assert.match((await refund('', `rest-${n}`)).output, / succeeded\n$/, sample.language)
    refunded += refundsRest ? 2 : 1
    const refused = await refund('1001', `more-${n}`)
    assert.deepEqual([refused.output, refused.code], ['', 2], sample.language)
    assert.match(refused.errors, /refund_exceeds|not_refundable/, sample.language)
    assert.ok(!refused.errors.includes(token), sample.language)
    const events = await sample.run('refund', { args: [baseUrl, projectId], env })
    const countEvents = (type: string) => events.output.split('\n').filter((line) => line === type).length
    assert.deepEqual(
      [countEvents('payment.result'), countEvents('refund.result')],
      [n + 1, refunded],
      sample.language,
    )
  }
})

test('every language signs a link like the SDK, and the service accepts it', async () => {
  for (const sample of ready) {
    const sign = async (serviceUrl: string, link: (typeof LINKS)[number]) => {
      const { project, amount, data, customId = '', exp = '', secret } = link
      const args = [serviceUrl, project, amount, data, customId, String(exp)]
      const { output, errors, code } = await sample.run('sign', { args, env: { PAZAR_SECRET: secret } })
      assert.deepEqual([code, errors], [0, ''], sample.language)
      return output.trim()
    }
    const valuesOf = (link: string) => [...new URL(link).searchParams]
    for (const { sig, ...link } of LINKS) {
      const signedLink = await sign('https://pay.example.me', { ...link, sig })
      assert.deepEqual(
        valuesOf(signedLink),
        valuesOf(buildPayUrl('https://pay.example.me', link)),
        sample.language,
      )
      if (sig !== null) assert.ok(signedLink.endsWith(`&sig=${sig}`), `${sample.language}: ${signedLink}`)
      // A space is %20 and a plus is %2B, as in links of the SDK.
      assert.doesNotMatch(signedLink, /[+ ]/, sample.language)
    }
    const { test: secret } = shop.secrets
    const linkFields = {
      project: shop.id,
      amount: '1500',
      data: HARD_DATA,
      customId: 'order "8" +&=%',
      secret,
    }
    const link = await sign(baseUrl, { ...linkFields, mode: 'test', sig: null })
    const shown = await fetch(link, { headers: { accept: 'application/json' } })
    assert.deepEqual(
      [shown.status, await shown.json().then((body) => (body as { status: string }).status)],
      [200, 'ready'],
      sample.language,
    )
  }
})

test('in TypeScript, PHP, Python and Ruby the price may be a number, and a missing price is refused', async () => {
  const { given } = USUAL_CASES[0]!
  // In the other languages the price is always text.
  const untypedLanguages = new Set(['TypeScript', 'PHP', 'Python', 'Ruby'])
  for (const sample of ready.filter(({ language }) => untypedLanguages.has(language)))
    for (const [expectedAmount, expected] of [
      [1500, 'ok'],
      [1501, 'amount_mismatch'],
      [null, 'amount_mismatch'],
    ] as const) {
      const { output } = await sample.run('verify', { input: JSON.stringify({ ...given, expectedAmount }) })
      assert.ok(output.includes(expected), `${sample.language}, ${expectedAmount}: ${output}`)
    }
})

for (const { id, name } of SAMPLE_LANGUAGES) {
  test(`${name}: the part to copy mentions the main checks, and the reader's own values replace its placeholders`, () => {
    const read = (sample: SampleName) => readFileSync(path.join(ROOT, toSamplePath(id, sample)), 'utf8')
    const verify = cutSample(read('verify'))
    for (const word of [
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      '300',
      'paid',
      'amount_mismatch',
      'refund.result',
      'dispute.',
    ])
      assert.ok(verify.includes(word), word)
    for (const sample of ['sign', 'check', 'refund'] as const) {
      const text = cutSample(read(sample))
      const filled = fillSample(text, { baseUrl, projectId: shop.id, customId: 'order-9' })
      for (const [placeholder, ownValue] of [
        [SAMPLE_PLACEHOLDERS.baseUrl, baseUrl],
        [SAMPLE_PLACEHOLDERS.projectId, shop.id],
        [SAMPLE_PLACEHOLDERS.customId, 'order-9'],
      ] as const) {
        if (sample === 'refund' && ownValue === 'order-9') continue // `refund` has no customId.
        assert.equal(text.split(placeholder).length, 2, `${placeholder} occurs once`)
        assert.ok(filled.includes(ownValue) && !filled.includes(placeholder), ownValue)
      }
      // The command at the end of the file calls the same function as the example in the part to copy.
      const functionName = /([\w?]+)[( ].?https:/.exec(text)?.[1] ?? ''
      const [, command = ''] = read(sample).split('endregion')
      assert.ok(functionName !== '' && command.includes(functionName), `${functionName} is called`)
    }
    for (const sample of SAMPLE_NAMES)
      for (const line of cutSample(read(sample)).split('\n')) assert.ok(line.length <= 110, line)
  })
}

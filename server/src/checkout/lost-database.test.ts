// The database fails before a statement or after its commit.
// The sandbox charges the amount 4002 but does not respond; for 4004 it sends the payer to the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { rows } from '../../test/accounts.ts'
import { countRounds, pickCases } from '../../test/counts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import { ServiceError } from '../lib/service-error.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)
// Only the replica's database fails. The sandbox uses the first service's database, because a real upstream has its own.
const { app, deps } = await service.replica()
const upstream = service.deps.backends
deps.backends = upstream
const working = { ...deps.db }

const NOT_CHARGED = /not charged|nothing was charged|nije naplaćen/i
const CHECKOUT_WORDS = (['en', 'cnr'] as const).map((locale) => catalogue(locale).checkout)
const NOT_STARTED = CHECKOUT_WORDS.map(({ notices }) => notices.busy.money)
/** Each of the first six statements of a request is lost once before it is executed and once after its commit. */
const LOSSES = 12

const unavailable = () => new ServiceError('unavailable', { retryAfterSec: 2 })

/**
 * The database executes `worksFor` statements and is then lost: all later statements fail. If `isCommitted`, the first of
 * them fails only after its commit.
 */
async function withLostDatabase<T>(
  worksFor: number,
  isCommitted: boolean,
  work: () => Promise<T>,
): Promise<T> {
  let n = 0
  const lose = async <R>(run: () => Promise<R>): Promise<R> => {
    n += 1
    if (n <= worksFor) return run()
    if (n === worksFor + 1 && isCommitted) await run()
    throw unavailable()
  }
  deps.db.query = (what, values) => lose(() => working.query(what, values)) as never
  deps.db.transaction = (run) => lose(() => working.transaction(run))
  try {
    return await work()
  } finally {
    Object.assign(deps.db, working)
  }
}

interface PageResponse {
  status: number
  text: string
}

type SendRequest = (payer: Payer) => Promise<PageResponse>

interface Scenario {
  link: string
  /** An earlier press was charged. If the next press is refused, "no payment was started this time" is true. */
  isSecondPress?: true
  prepare(payer: Payer, link: string): Promise<Record<string, SendRequest>>
}

async function pressAsJsonClient(payer: Payer, token: string): Promise<PageResponse> {
  const cookie = [...payer.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { accept: 'application/json', cookie }
  const response = await payer.app.inject({ method: 'POST', url: '/pay', payload: { token }, headers })
  return { status: response.statusCode, text: response.payload }
}

async function openAsJsonClient(payer: Payer, url: string): Promise<PageResponse> {
  const cookie = [...payer.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await payer.app.inject({ url, headers: { accept: 'application/json', cookie } })
  return { status: response.statusCode, text: response.payload }
}

/** Turns the cookies into those of an earlier release, which did not store whether Pay was pressed. */
function removePressFromCookies(payer: Payer): void {
  for (const [name, value] of payer.jar) {
    const context = `attempt-memory/1/${name.replace(/^.*attempt-/, '')}`
    const plain = deps.attemptTokens.open(Buffer.from(value, 'base64url'), context)
    const { pressed, ...withoutPress } = JSON.parse(plain!.toString()) as Record<string, unknown>
    assert.equal(pressed, true)
    const sealed = deps.attemptTokens.seal(Buffer.from(JSON.stringify(withoutPress)), context)
    payer.jar.set(name, sealed.toString('base64url'))
  }
}

const newLink = (fields: Parameters<typeof toLink>[1] = {}) =>
  toLink(shop, { data: `goods ${randomUUID()}`, ...fields })

const toPressRequests = (page: Awaited<ReturnType<Payer['open']>>): Record<string, SendRequest> => ({
  'Pay pressed in a browser': (payer) => payer.press(page),
  'Pay pressed by a JSON client': (payer) => pressAsJsonClient(payer, page.form!.token),
})

const SCENARIOS: Record<string, () => Scenario> = {
  'a first press': () => ({
    link: newLink(),
    prepare: async (payer, link) => toPressRequests(await payer.open(link)),
  }),
  'a second press of a form whose first press was charged': () => ({
    isSecondPress: true,
    link: newLink(),
    async prepare(payer, link) {
      const page = await payer.open(link)
      await payer.press(page)
      return toPressRequests(page)
    },
  }),
  'the second press of a double click, without the cookie of the first': () => ({
    isSecondPress: true,
    link: newLink(),
    async prepare(payer, link) {
      const page = await payer.open(link)
      const cookies = new Map(payer.jar)
      await payer.press(page)
      payer.jar.clear()
      for (const [name, value] of cookies) payer.jar.set(name, value)
      return toPressRequests(page)
    },
  }),
  'Back or reload after a payment': () => ({
    link: newLink(),
    async prepare(payer, link) {
      await payer.pay(link)
      return {
        'the link': (browser) => browser.open(link),
        'the link opened by a JSON client': (browser) => openAsJsonClient(browser, link),
      }
    },
  }),
  'Back after a form that was sent twice': () => ({
    link: newLink(),
    async prepare(payer, link) {
      const page = await payer.open(link)
      await payer.press(page)
      await payer.press(page)
      return { 'the link': (browser) => browser.open(link) }
    },
  }),
  'Back or reload after a payment made with an earlier release': () => ({
    link: newLink(),
    async prepare(payer, link) {
      await payer.pay(link)
      removePressFromCookies(payer)
      return { 'the link': (browser) => browser.open(link) }
    },
  }),
  'a press after which the upstream charges but does not respond': () => ({
    link: newLink({ amount: '4002' }),
    prepare: async (payer, link) => toPressRequests(await payer.open(link)),
  }),
  ...Object.fromEntries(
    [false, true].map((onOtherDevice) => [
      `starting over after the first payment was charged at the bank${onOtherDevice ? ', from another device' : ''}`,
      () => ({
        isSecondPress: true as const,
        // Another device may start over only with a signed link for the order.
        link: newLink({
          amount: '4004',
          ...(onOtherDevice ? { signed: true, customId: `order-${randomUUID()}` } : {}),
        }),
        async prepare(payer: Payer, link: string) {
          const firstBrowser = onOtherDevice ? new Payer(app) : payer
          const id = toTransactionId((await firstBrowser.pay(link)).location)
          const page = onOtherDevice ? await payer.pay(link) : await payer.open(link)
          await finishBankStep(service.deps.db, id, 'approve')
          return toPressRequests(page)
        },
      }),
    ]),
  ),
  'the return from the bank': () => ({
    link: newLink({ amount: '4004' }),
    async prepare(payer, link) {
      const id = toTransactionId((await payer.pay(link)).location)
      await finishBankStep(service.deps.db, id, 'approve')
      return {
        'the return': (browser) => browser.open(`/pay/${id}?return=1`),
        'the payment': (browser) => browser.open(`/pay/${id}`),
        'the payment opened by a JSON client': (browser) => openAsJsonClient(browser, `/pay/${id}`),
        'the link': (browser) => browser.open(link),
      }
    },
  }),
}

/** Removes the notice "already paid", because its "not charged" is about the second press only. */
function withoutAlreadyPaidNotice(text: string): string {
  const texts = CHECKOUT_WORDS.map(({ notices }) => notices.alreadyPaid.money)
  return texts.reduce((left, one) => left.replace(one, ''), text.replace(/<style>[^]*<\/style>/, ''))
}

function requireNoFalseClaim({ isSecondPress }: Scenario, text: string, caseName: string): void {
  assert.doesNotMatch(withoutAlreadyPaidNotice(text), NOT_CHARGED, caseName)
  if (!isSecondPress)
    for (const sentence of NOT_STARTED) assert.ok(!text.includes(sentence), `${caseName}: ${sentence}`)
}

async function chargesFor(link: string): Promise<number> {
  const data = new URL(link, 'http://localhost').searchParams.get('data')
  const text = `select from transactions t join sandbox_charges s on s.id = t.id
    where t.data = $1 and s.status = 'succeeded'`
  return (await rows(service.deps.db, text, [data])).length
}

for (const [index, [what, toScenario]] of Object.entries(SCENARIOS).entries()) {
  // `npm test` runs each scenario in one language, and the languages alternate.
  for (const lang of pickCases('lostDatabaseLanguages', ['en', 'cnr'], { startAt: index })) {
    test(`if the database is lost during ${what}, no response denies a charge that happened, and nobody is charged twice (${lang})`, async (t) => {
      countRounds('lostDatabaseLanguages', t)
      const names = Object.keys(await toScenario().prepare(new Payer(app), toScenario().link))
      for (const name of names) {
        for (let step = 0; step < LOSSES; step += 1) {
          const scenario = toScenario()
          const { link } = scenario
          const payer = new Payer(app)
          payer.headers['accept-language'] = lang
          const sendRequest = (await scenario.prepare(payer, link))[name]!
          const caseName = `${name}, lost after ${Math.floor(step / 2)} statements${step % 2 ? ' and a commit' : ''}`
          const response = await withLostDatabase(Math.floor(step / 2), step % 2 === 1, () =>
            sendRequest(payer),
          )
          assert.ok([200, 303, 503].includes(response.status), `${caseName}: ${response.status}`)
          const charges = await chargesFor(link)
          assert.ok(charges <= 1, caseName)
          if (charges > 0) requireNoFalseClaim(scenario, response.text, caseName)
          const reopened = await payer.open(link)
          if (reopened.form) await payer.press(reopened)
          assert.ok((await chargesFor(link)) <= 1, `${caseName}, then Pay was pressed again`)
        }
      }
    })
  }
}

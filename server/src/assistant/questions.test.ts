// What merchants ask, and the page that answers it. The first table is the promise: the right page first for at least
// nine of ten in each language. The second is held to the same, so that the first is not all there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptAnswer } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { fold } from '../docs/fold.ts'

const service = await startTestService()
const owner = await signUp(service.app)

type Table = readonly (readonly [question: string, page: string])[]

const LISTED: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I check that a callback really came from you?', 'callbacks'],
    ['What unit is the amount in, cents or euros?', 'pay-links'],
    ['How often do you retry when my server is down?', 'callbacks'],
    ['How can I find out whether order 123 was paid?', 'status-check'],
    ['Can I print a QR code for my shop window?', 'qr'],
    ['Which amount makes a payment fail in the sandbox?', 'test-mode'],
    ['What does custom_id_conflict mean?', 'errors'],
    ['My server runs on localhost, how do I receive callbacks?', 'cli'],
    ['What happens to old links when I rotate the secret?', 'security'],
    ['What should I check before I take real money?', 'go-live'],
  ],
  cnr: [
    ['Kako da provjerim da je obavještenje zaista stiglo od vas?', 'callbacks'],
    ['U kojoj jedinici je iznos, u centima ili eurima?', 'pay-links'],
    ['Koliko puta pokušavate ponovo ako moj server ne radi?', 'callbacks'],
    ['Kako da saznam da li je narudžba 123 plaćena?', 'status-check'],
    ['Mogu li da odštampam QR kod za izlog?', 'qr'],
    ['Koji iznos u testu dovodi do odbijenog plaćanja?', 'test-mode'],
    ['Šta znači greška custom_id_conflict?', 'errors'],
    ['Prodavnica mi je na localhost, kako da primam obavještenja?', 'cli'],
    ['Šta se dešava sa starim linkovima kada zamijenim ključ?', 'security'],
    ['Šta treba da provjerim prije prvog pravog plaćanja?', 'go-live'],
  ],
}

const SECOND: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I keep the raw body in Express?', 'sdk'],
    ['Does my shop refuse forged callbacks?', 'exam'],
    ['Why do I get too_many when I add a project?', 'errors'],
    ['How is the sig parameter of a link computed?', 'pay-links'],
    ['I need a sample in PHP to verify the webhook signature', 'callbacks'],
    ['Getting invalid_hash from checkStatus', 'status-check'],
    ['Where do I start?', 'quickstart'],
    ['How do I make an API token only read?', 'security'],
    ['Can a code be SVG instead of PNG?', 'qr'],
    ['How do I pay with a declined card in test?', 'test-mode'],
  ],
  cnr: [
    ['Kako da u Expressu sačuvam sirovo tijelo?', 'sdk'],
    ['Da li moja prodavnica odbija lažna obavještenja?', 'exam'],
    ['Zašto dobijam too_many kad pravim projekat?', 'errors'],
    ['Kako se računa sig u linku?', 'pay-links'],
    ['Treba mi primjer u PHP-u za provjeru potpisa', 'callbacks'],
    ['checkStatus vraća invalid_hash', 'status-check'],
    ['Odakle da počnem?', 'quickstart'],
    ['Kako da napravim API token koji samo čita?', 'security'],
    ['Može li kod biti SVG umjesto PNG?', 'qr'],
    ['Kako da isprobam odbijenu karticu?', 'test-mode'],
  ],
}

async function firstPage(prompt: string, locale: Locale): Promise<string> {
  const answer = await owner.post('/sdk/ai/prompt', { prompt, locale })
  assert.equal(answer.status, 200, answer.text)
  const { sources } = answer.json<PromptAnswer>()
  return /\/docs\/([a-z-]+)/.exec(sources[0]?.url ?? '')?.[1] ?? ''
}

async function findMisses(table: Table, locale: Locale): Promise<string[]> {
  const misses: string[] = []
  for (const [question, page] of table) {
    const found = await firstPage(question, locale)
    if (found !== page) misses.push(`${question} → ${found} instead of ${page}`)
  }
  return misses
}

for (const locale of ['en', 'cnr'] as const) {
  for (const [name, tables] of Object.entries({ listed: LISTED, second: SECOND })) {
    test(`${locale}, ${name}: the right page comes first for at least nine of ten questions`, async (t) => {
      const table = tables[locale]
      const misses = await findMisses(table, locale)
      for (const miss of misses) t.diagnostic(miss)
      assert.equal(table.length, 10)
      assert.ok(misses.length <= 1, misses.join('\n'))
    })
  }
}

test('questions typed without č, ć, š, ž and đ are answered as well', async () => {
  const plain = LISTED.cnr.map(([question, page]) => [fold(question), page] as const)
  const misses = await findMisses(plain, 'cnr')
  assert.ok(misses.length <= 1, misses.join('\n'))
})

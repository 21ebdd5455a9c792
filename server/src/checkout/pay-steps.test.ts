import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { toStepTexts } from './pay-steps.ts'

const words = catalogue('en').checkout
const toHttpStepTexts = (methods: readonly string[]) =>
  toStepTexts(words, { name: 'http', describeSteps: () => ({ pageName: null, methods }) })

test('with Stripe, the pay page names Stripe as the method and as the page that opens next', () => {
  const steps = toStepTexts(words, {
    name: 'stripe',
    describeSteps: () => ({ pageName: 'Stripe', methods: [] }),
  })
  assert.equal(steps.method, 'Stripe')
  assert.match(steps.after, /the Stripe page opens/)
})

test('a known method of an upstream is translated, any other short name is shown unchanged, and at most four methods are shown', () => {
  assert.equal(toHttpStepTexts(['card', 'bank']).method, 'Card, Bank account')
  assert.equal(toHttpStepTexts(['card', 'IPS scan', 'card']).method, 'Card, IPS scan')
  assert.equal(toHttpStepTexts(['a', 'b', 'c', 'd', 'e']).method, 'a, b, c, d')
})

test('a method whose name is empty, too long or has unexpected characters is not shown; if the upstream declares nothing, no method is shown', () => {
  const invalidNames = ['', ' card', '<b>x</b>', 'x'.repeat(25), '__proto__', 'two\nlines', '\u202Edrac']
  for (const name of invalidNames) assert.equal(toHttpStepTexts([name]).method, null, JSON.stringify(name))
  assert.equal(toHttpStepTexts(['constructor']).method, 'constructor')
  assert.equal(toStepTexts(words, { name: 'http' }).method, null)
  assert.equal(toHttpStepTexts([]).after, words.steps.afterBank)
})

test('the sandbox says that the payment is simulated and needs no card', () => {
  assert.deepEqual(toStepTexts(words, { name: 'sandbox' }), {
    method: words.steps.simulated,
    after: words.steps.afterSimulated,
    note: null,
    isSimulated: true,
  })
})

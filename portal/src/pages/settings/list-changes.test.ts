import assert from 'node:assert/strict'
import { test } from 'node:test'

// The imported modules read these objects.
Object.defineProperty(globalThis, 'location', {
  value: new URL('https://pay.example.me/cnr/projects'),
  configurable: true,
})
const pageData = JSON.stringify({ currency: 'EUR', amountScale: 2 })
const fakeDocument = { cookie: '', querySelector: () => ({ getAttribute: () => pageData }) }
Object.defineProperty(globalThis, 'document', { value: fakeDocument, configurable: true })
const { listChanges } = await import('./list-changes.ts')
const { loadWords, words } = await import('../../ui/language.ts')
await loadWords()
const { fields, events } = words().settings
const { roles } = words().members

const list = (changes: Record<string, unknown>, payment: object | null = null) =>
  listChanges({ changes, payment }, 'Europe/Podgorica')

test('roles, permissions and events are shown by their names, and an amount with its currency', () => {
  assert.deepEqual(list({ role: { from: 'developer', to: 'finance' } }), [
    { name: fields.role, was: roles.developer, now: roles.finance },
  ])
  assert.deepEqual(list({ scope: 'read', role: 'support' }), [
    { name: fields.scope, now: words().account.tokens.scopes.read },
    { name: fields.role, now: roles.support },
  ])
  assert.deepEqual(list({ dailyCap: '50000' }), [{ name: fields.dailyCap, now: '500,00\u00a0€' }])
  assert.deepEqual(list({ events: ['payment.result'] }), [
    { name: fields.events, now: events.names['payment.result'] },
  ])
})

test('for a changed list, only the parts that were added or removed are shown', () => {
  const { on, off } = words().settings
  const change = { from: ['payment.result', 'refund.result'], to: ['payment.result', 'dispute.opened'] }
  assert.deepEqual(list({ events: change }), [
    { name: events.names['refund.result'], was: on, now: off },
    { name: events.names['dispute.opened'], was: off, now: on },
  ])
})

test('ids are shortened; the amount of a refund is left out, and so is the id of the payment if the entry has a link to it', () => {
  const changes = {
    refundId: 're_0199a1b2c3d4e5f60718293a4b5c6d7e',
    transactionId: '0199a1b2-c3d4-75f6-8718-293a4b5c6d7e',
    amount: '700',
    currency: 'EUR',
    scale: 2,
    reason: null,
  }
  const refund = { name: fields.refundId, now: 're_01…4b5c6d7e', full: changes.refundId }
  assert.deepEqual(list(changes, {}), [refund])
  const payment = { name: fields.transactionId, now: '0199a…4b5c6d7e', full: changes.transactionId }
  assert.deepEqual(list(changes), [refund, payment])
})

test('an unknown code and an unknown field are shown as they are', () => {
  assert.deepEqual(list({ role: 'auditor', colour: { from: 'blue', to: 'red' } }), [
    { name: fields.role, now: 'auditor' },
    { name: 'colour', was: 'blue', now: 'red' },
  ])
})

test('the start and end of the period of a resend are shown as times, but a name is shown as typed, even if it looks like a time', () => {
  const resend = { from: '2026-11-18T23:00:00.000Z', to: '2026-11-19T11:30:00.000Z' }
  assert.deepEqual(
    list(resend).map(({ now }) => now),
    ['19.11.2026. 00:00', '19.11.2026. 12:30'],
  )
  assert.deepEqual(
    list({ from: 'EUR:2', to: '2026-13-45T11:30:00.000Z' }).map(({ now }) => now),
    ['EUR:2', '2026-13-45T11:30:00.000Z'],
  )
  for (const name of ['2026-13-45T1Z', '2026-11-18T23:00:00.000Z', 'constructor', 'toString'])
    assert.deepEqual(list({ name: { from: 'Knjižara', to: name } }), [
      { name: fields.name, was: 'Knjižara', now: name },
    ])
})

test('a first value is shown alone, and a removed value is followed by the word for "empty"', () => {
  assert.deepEqual(
    list({ accent: { from: null, to: '#d9480f' }, website: { from: 'https://a.me/', to: null } }),
    [
      { name: fields.accent, now: '#d9480f' },
      { name: fields.website, was: 'https://a.me/', now: words().settings.empty },
    ],
  )
})

// The SDK is installed without the contract package, so it repeats the limits and types of the contract.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventView, RefundView, TransactionDetails as ContractDetails } from '@pazar/contract'
import type { FeedEvent, Refund, TransactionDetails } from '../src/merchant.ts'
import { CUSTOM_ID_MAX, customId as customIdSchema, DATA_MAX_BYTES } from '@pazar/contract'
import { buildPayUrl } from '../src/index.ts'

const build = (values: { data?: string; customId?: string }) =>
  buildPayUrl('https://pay.example.me', {
    amount: '1500',
    project: 'tz4a98xxat96iws9zmbrgj3a',
    data: '',
    ...values,
  })

test('the SDK accepts data and customId up to the limits of the contract, and no more', () => {
  assert.ok(build({ data: 'x'.repeat(DATA_MAX_BYTES) }))
  assert.throws(() => build({ data: 'x'.repeat(DATA_MAX_BYTES + 1) }))
  assert.ok(build({ customId: '𝕏'.repeat(CUSTOM_ID_MAX) }))
  assert.throws(() => build({ customId: 'x'.repeat(CUSTOM_ID_MAX + 1) }))
})

test('a customId may have only the characters of the contract; data may have every character except NUL and half surrogate pairs', () => {
  const accepts = (values: { data?: string; customId?: string }) => {
    try {
      return build(values) !== ''
    } catch {
      return false // No link was made.
    }
  }
  for (let code = 0; code <= 0xffff; code += 1) {
    const char = String.fromCharCode(code)
    const customId = `a${char}b`
    assert.equal(accepts({ customId }), customIdSchema.safeParse(customId).success, `customId ${code}`)
    // The database cannot store NUL, and UTF-8 cannot encode half a surrogate pair.
    assert.equal(accepts({ data: char }), char.isWellFormed() && code !== 0, `data ${code}`)
  }
})

test("the contract's payments, refunds and events can be assigned to the SDK's types", () => {
  // Checked by the compiler: what the service returns can be assigned to what the SDK promises.
  const toPromised: {
    event: (from: EventView) => FeedEvent
    details: (from: ContractDetails) => TransactionDetails
    refund: (from: RefundView) => Refund
  } = { event: (from) => from, details: (from) => from, refund: (from) => from }
  assert.equal(Object.keys(toPromised).length, 3)
})

import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { confirmPrompt } from './confirm-prompt.ts'

async function ask(typed: string, isTTY: boolean): Promise<boolean | null> {
  const input = Object.assign(new PassThrough(), { isTTY })
  const confirmed = confirmPrompt('This cannot be undone.', input, new PassThrough())
  input.push(`${typed}\n`)
  return confirmed
}

test('only the whole word "yes" confirms, and without a terminal nobody can confirm', async () => {
  for (const typed of ['yes', ' yes ']) assert.equal(await ask(typed, true), true, typed)
  for (const typed of ['', 'y', 'no', 'YES', 'yes please']) assert.equal(await ask(typed, true), false, typed)
  assert.equal(await ask('yes', false), null)
})

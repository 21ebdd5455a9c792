import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { confirmPrompt } from './confirm-prompt.ts'

const createStream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY })

function ask(isTTY: boolean) {
  const input = createStream(isTTY)
  return { input, confirmed: confirmPrompt('This cannot be undone.', input, createStream(isTTY)) }
}

async function type(typed: string, isTTY = true): Promise<boolean | null> {
  const { input, confirmed } = ask(isTTY)
  input.push(`${typed}\n`)
  return confirmed
}

test('only the whole word "yes" confirms, and without a terminal nobody can confirm', async () => {
  for (const typed of ['yes', ' yes ']) assert.equal(await type(typed), true, typed)
  for (const typed of ['', 'y', 'no', 'YES', 'yes please']) assert.equal(await type(typed), false, typed)
  assert.equal(await type('yes', false), null)
})

test('Ctrl+C, Ctrl+D and the end of the input do not confirm, and the command ends', async () => {
  for (const key of ['\u0003', '\u0004', 'yes\u0003']) {
    const { input, confirmed } = ask(true)
    input.push(key)
    assert.equal(await confirmed, false, JSON.stringify(key))
  }
  const ended = ask(true)
  ended.input.push(null)
  assert.equal(await ended.confirmed, false)
})

import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { ServiceError } from '../lib/service-error.ts'
import { createPasswords, PASSWORD_WORK } from './passwords.ts'

const passwords = createPasswords(PASSWORD_WORK)

test('a hash is an argon2id string with the documented cost and its own salt', async () => {
  const [one, other] = await Promise.all([
    passwords.hash('tri zelena jaja'),
    passwords.hash('tri zelena jaja'),
  ])
  const shape = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
  assert.match(one, shape)
  assert.match(other, shape)
  assert.notEqual(one, other)
})

test('the right password is accepted and a wrong one refused', async () => {
  const hash = await passwords.hash('tri zelena jaja')
  assert.equal(await passwords.verify('tri zelena jaja', hash), true)
  assert.equal(await passwords.verify('tri zelena jajA', hash), false)
  assert.equal(await passwords.verify('', hash), false)
})

test('the same password in two Unicode encodings is accepted', async () => {
  const composed = 'še\u0161ir i \u0161al za zimu'
  const hash = await passwords.hash(composed.normalize('NFC'))
  assert.equal(await passwords.verify(composed.normalize('NFD'), hash), true)
})

test('a hash with other parameters can still be verified', async () => {
  const nonce = Buffer.alloc(16, 7)
  const cost = { memory: 8192, passes: 1, parallelism: 2, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from('tri zelena jaja'), nonce, ...cost })
  const toText = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const hash = `$argon2id$v=19$m=8192,t=1,p=2$${toText(nonce)}$${toText(tag)}`
  assert.equal(await passwords.verify('tri zelena jaja', hash), true)
  assert.equal(await passwords.verify('tri zelena jajA', hash), false)
})

test('verify throws if the stored text is not a hash, so that the password does not count as wrong', async () => {
  await assert.rejects(passwords.verify('tri zelena jaja', 'plain text'), /PHC/)
})

test('an unknown address costs one hash, the same as a known one', async () => {
  const hash = await passwords.hash('tri zelena jaja')
  const evaluationsBefore = passwords.evaluations()
  assert.equal(await passwords.verifyNothing('tri zelena jaja'), false)
  assert.equal(passwords.evaluations(), evaluationsBefore + 1)
  await passwords.verify('wrong', hash)
  assert.equal(passwords.evaluations(), evaluationsBefore + 2)
})

test('hashes above the queue limit are refused with unavailable, and the others are computed', async () => {
  const small = createPasswords({ concurrency: 2, queueMax: 3 })
  const responses = await Promise.allSettled(Array.from({ length: 9 }, () => small.verifyNothing('x')))
  const refused = responses.filter((one) => one.status === 'rejected').map((one) => one.reason as unknown)
  assert.equal(refused.length, 4)
  for (const reason of refused) {
    assert.ok(
      reason instanceof ServiceError && reason.code === 'unavailable' && reason.retryAfterSec !== null,
    )
  }
  assert.equal(small.evaluations(), 5)
  await Promise.all([small.verifyNothing('x'), small.verifyNothing('x'), small.verifyNothing('x')])
  assert.equal(small.evaluations(), 8)
})

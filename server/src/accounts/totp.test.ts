import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRecoveryCodes, toCodeHash, toPlainCode } from './recovery-code.ts'
import { findTotpStep, newTotpSecret, toBase32, toTotpCode, toTotpStep, toTotpUri } from './totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')

test('the codes equal those of RFC 6238, Appendix B, cut to six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors)
    assert.equal(toTotpCode(RFC_SECRET, toTotpStep(seconds * 1000)), code, String(seconds))
})

test('a code is accepted only in its own time step, in the step before and in the step after', () => {
  const nowMs = 1_234_567_890_000
  const step = toTotpStep(nowMs)
  for (const [offset, expected] of [
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ] as const)
    assert.equal(findTotpStep(RFC_SECRET, toTotpCode(RFC_SECRET, step + offset), nowMs), expected)
  for (const wrong of ['', '12345', '1234567', 'abcdef', '０05924'])
    assert.equal(findTotpStep(RFC_SECRET, wrong, nowMs), null)
})

test('secrets are written as RFC 4648 base32', () => {
  assert.equal(toBase32(Buffer.from('foobar')), 'MZXW6YTBOI')
  assert.equal(toBase32(RFC_SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.match(toBase32(newTotpSecret()), /^[A-Z2-7]{32}$/)
})

test('the URI for the authenticator app escapes the issuer and the e-mail address', () => {
  assert.equal(
    toTotpUri('ABC', { issuer: 'Pazar & Co', email: 'ana+1@example.me' }),
    'otpauth://totp/Pazar%20%26%20Co:ana%2B1%40example.me?secret=ABC&issuer=Pazar%20%26%20Co&algorithm=SHA1&digits=6&period=30',
  )
})

test('the ten recovery codes are all different, and may be typed in lower case and with spaces instead of the dash', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[A-HJKMNP-TV-Z0-9]{5}-[A-HJKMNP-TV-Z0-9]{5}$/)
  const [code = ''] = codes
  assert.deepEqual(toCodeHash(` ${code.toLowerCase().replace('-', ' ')} `), toCodeHash(code))
  assert.equal(toPlainCode('123 456'), '123456')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildPayUrl } from '@pazar/sdk'
import { countRounds, pickCases } from '../../test/counts.ts'
import { drawSvg, measureFrame, readQr, unpackPng } from '../../test/qr-reader.ts'
import { ServiceError } from '../lib/service-error.ts'
import { QR_TEXT_MAX_BYTES, QUIET_ZONE_MODULES, toLayout, toQrModules } from './qr-code.ts'
import { toQrPng } from './qr-png.ts'
import { toQrSvg } from './qr-svg.ts'

const BASE_URL = 'https://pay.example.me'
const SECRET = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const PROJECT = 'tz4a98xxat96iws9zmbrgj3a'

function toLink(data: string, customId?: string): string {
  return buildPayUrl(BASE_URL, { amount: '1500', project: PROJECT, data, customId, secret: SECRET })
}

const SHORT = toLink('')
const USUAL = toLink('Narudžba 7, čaj od žalfije & kafa #2', 'order-2026-000123')
const LONGEST = SHORT.padEnd(QR_TEXT_MAX_BYTES, 'x')

function findRefusal(run: () => unknown): ServiceError['fields'] {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return error.fields
    throw error
  }
  return []
}

for (const [n, [name, text]] of Object.entries({ SHORT, USUAL, LONGEST }).entries()) {
  const modules = toQrModules(text)
  const smallest = Math.max(128, modules.length)
  const sizes = [smallest, smallest + 1, 333, 512, 1000, 1024, 2047, 2048]
  // In `npm test`, each of the three links is read at only a few of the sizes.
  for (const size of pickCases('qrPngSizes', sizes, { startAt: n * 3 })) {
    test(`a ${name.toLowerCase()} link of ${text.length} characters can be read from a PNG of ${size} pixels`, () => {
      const picture = unpackPng(toQrPng(modules, size))
      assert.deepEqual([picture.width, picture.height], [size, size])
      assert.equal(readQr(picture), text)
    })
  }
  test(`a ${name.toLowerCase()} link can be read from its SVG`, () => {
    const svg = toQrSvg(modules, 1024)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1024" height="1024"/)
    assert.equal(readQr(drawSvg(svg, 4)), text)
  })
}

test('at any size each module covers whole pixels, and the code is centred with a white margin of at least four modules', (t) => {
  const modules = toQrModules(USUAL)
  const step = Math.floor((2048 - 128) / countRounds('qrSizes', t))
  for (let size = 128; size <= 2048; size += step) {
    const { scalePx, marginPx } = toLayout(modules, size)
    const picture = unpackPng(toQrPng(modules, size))
    assert.equal(measureFrame(picture), marginPx + QUIET_ZONE_MODULES * scalePx)
    for (const [y, row] of modules.entries()) {
      for (const [x, isDark] of row.entries()) {
        const [left, top] = [marginPx + x * scalePx, marginPx + y * scalePx]
        for (const [px, py] of [
          [left, top],
          [left + scalePx - 1, top + scalePx - 1],
        ] as const) {
          assert.equal(picture.data[(py * size + px) * 4] === 0, isDark, `${size}: ${x} ${y}`)
        }
      }
    }
  }
})

test('a 1024-pixel PNG of a usual link is under 4 KB', () => {
  assert.ok(toQrPng(toQrModules(USUAL), 1024).length < 4096)
})

test('a link that is one byte too long for a code is refused, and the error names the field "data"', () => {
  assert.deepEqual(
    findRefusal(() => toQrModules(`${LONGEST}x`)),
    [{ path: 'data', code: 'qr_too_long' }],
  )
})

test('the longest customId fits without data, so only data can make a link too long', () => {
  const text = toLink('', '😀'.repeat(128))
  assert.ok(text.length <= QR_TEXT_MAX_BYTES, `${text.length}`)
})

test('a size with less than a pixel per module is refused, and the error has the smallest possible size', () => {
  const modules = toQrModules(LONGEST)
  // The largest code is 177 modules wide and has a margin of four modules on each side.
  const expected = [{ path: 'size', code: 'out_of_range', params: { min: 185, max: 2048 } }]
  assert.deepEqual(
    findRefusal(() => toQrPng(modules, 184)),
    expected,
  )
  assert.deepEqual(
    findRefusal(() => toQrSvg(modules, 184)),
    expected,
  )
  assert.deepEqual(
    findRefusal(() => toQrPng(modules, 185)),
    [],
  )
})

test('for any data, the text that is read from the code is exactly the link', (t) => {
  const specialChar = fc.constantFrom(...'#&?=+%/ \\"\'<>|~!*()', '\n', '\u202e', 'č', '漢', '😀', '\ufeff')
  const data = fc.string({
    unit: fc.oneof(specialChar, fc.string({ minLength: 1, maxLength: 1 })),
    maxLength: 60,
  })
  fc.assert(
    fc.property(data, fc.integer({ min: 200, max: 420 }), (text, size) => {
      const link = toLink(text, 'order-7')
      assert.equal(readQr(unpackPng(toQrPng(toQrModules(link), size))), link)
    }),
    { numRuns: countRounds('qrCodes', t) },
  )
})

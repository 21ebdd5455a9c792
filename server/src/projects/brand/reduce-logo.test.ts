// Why this is long: one list of cases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { LOGO_SIDE_MAX } from '@pazar/contract'
import { LogoError, requireSize } from './logo-error.ts'
import type { LogoExtension } from '../brand.ts'
import { LOGO_TYPES } from '../brand.ts'
import { reduceLogo } from './reduce-logo.ts'

const CANARY = '<script>alert("canary")</script><?php canary ?>'
const canary = Buffer.from(CANARY)
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** `rest`: bit depth, colour type, compression, filter and interlace. */
function header(fields: { width?: number; height?: number; rest?: number[] } = {}): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(fields.width ?? 2, 0)
  data.writeUInt32BE(fields.height ?? 2, 4)
  Buffer.from(fields.rest ?? [8, 2, 0, 0, 0]).copy(data, 8)
  return chunk('IHDR', data)
}

/** Two rows of two pixels. A pixel has three bytes, and each row begins with a filter byte. */
const PIXELS = Buffer.alloc(2 * 7)
const idat = (pixels: Buffer = PIXELS) => chunk('IDAT', deflateSync(pixels))
const END = chunk('IEND')
const png = (...parts: Buffer[]) => Buffer.concat([SIGNATURE, ...parts])
const PNG = png(header(), idat(), END)
const withPalette = (...parts: Buffer[]) =>
  png(header({ rest: [8, 3, 0, 0, 0] }), ...parts, idat(Buffer.alloc(6)), END)

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

function frame(width = 8, height = 8, components = 1, marker = 0xc0, precision = 8): Buffer {
  const data = Buffer.alloc(6 + components * 3)
  data[0] = precision
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  data[5] = components
  return segment(marker, data)
}

const SOI = Buffer.from([0xff, 0xd8])
const EOI = Buffer.from([0xff, 0xd9])
const TABLE = segment(0xdb, Buffer.alloc(65, 1))
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x2a, 0xff, 0x00, 0x15]),
])
const jpeg = (...parts: Buffer[]) => Buffer.concat([SOI, ...parts])
const JPEG = jpeg(TABLE, frame(), SCAN, EOI)

function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const webp = (...parts: Buffer[]) => riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
function lossy(width = 8, height = 8, start = '9d012a', tag = 0): Buffer {
  const data = Buffer.alloc(14)
  data[0] = tag
  Buffer.from(start, 'hex').copy(data, 3)
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return riff('VP8 ', data)
}
function lossless(width = 8, height = 8, version = 0, first = 0x2f): Buffer {
  const data = Buffer.alloc(8)
  data[0] = first
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14) | (version << 29)) >>> 0, 1)
  return riff('VP8L', data)
}
const extended = (flags: number) => riff('VP8X', Buffer.from([flags, 0, 0, 0, 7, 0, 0, 7, 0, 0]))
const WEBP = webp(lossy())
const GOOD: Record<LogoExtension, Buffer> = { png: PNG, jpg: JPEG, webp: WEBP }

type Case = [what: string, bytes: Buffer, extension: LogoExtension]
const ofPng = (cases: [string, Buffer][]) => cases.map(([what, bytes]): Case => [what, bytes, 'png'])
const ofJpeg = (cases: [string, Buffer][]) => cases.map(([what, bytes]): Case => [what, bytes, 'jpg'])
const ofWebp = (cases: [string, Buffer][]) => cases.map(([what, bytes]): Case => [what, bytes, 'webp'])

const TAILS: [string, Buffer][] = [
  ['HTML', canary],
  ['an archive', Buffer.concat([Buffer.from('PK\u0003\u0004'), canary])],
  ['a PDF', Buffer.concat([Buffer.from('%PDF-1.7\n'), canary])],
]
const tails = () =>
  Object.entries(GOOD).flatMap(([extension, good]) =>
    TAILS.map(([what, tail]): Case => [
      `${what} after the picture`,
      Buffer.concat([good, tail]),
      extension as LogoExtension,
    ]),
  )

const STRIPPED: Case[] = [
  ...ofPng(
    [
      'tEXt',
      'zTXt',
      'iTXt',
      'eXIf',
      'iCCP',
      'sPLT',
      'tIME',
      'gAMA',
      'prVt',
      'acTL',
      'fcTL',
      'fdAT',
      'caBX',
    ].map((type) => [`the chunk ${type}`, png(header(), chunk(type, canary), idat(), END)]),
  ),
  ...ofPng([
    ['a chunk between IDAT and IEND', png(header(), idat(), chunk('tEXt', canary), END)],
    [
      'bytes after the compressed pixels',
      png(header(), chunk('IDAT', Buffer.concat([deflateSync(PIXELS), canary])), END),
    ],
    [
      'a palette where none is used',
      png(header(), chunk('PLTE', Buffer.concat([canary, canary, canary])), idat(), END),
    ],
    [
      'a transparency longer than the palette',
      withPalette(chunk('PLTE', Buffer.alloc(6)), chunk('tRNS', canary)),
    ],
    [
      'the uncompressed form of its pixels',
      png(header(), chunk('IDAT', deflateSync(PIXELS, { level: 0 })), END),
    ],
  ]),
  ...ofJpeg(
    Array.from({ length: 16 }, (_, n): [string, Buffer] => [
      `the segment APP${n}`,
      jpeg(segment(0xe0 + n, canary), TABLE, frame(), SCAN, EOI),
    ]),
  ),
  ...ofJpeg([
    ['a comment', jpeg(segment(0xfe, canary), TABLE, frame(), SCAN, EOI)],
    ['a comment between scans', jpeg(TABLE, frame(), SCAN, segment(0xfe, canary), SCAN, EOI)],
    [
      'bytes after the colour marker',
      jpeg(
        segment(0xee, Buffer.concat([Buffer.from('Adobe'), Buffer.alloc(7), canary])),
        TABLE,
        frame(),
        SCAN,
        EOI,
      ),
    ],
    ['a reserved segment', jpeg(segment(0xf3, canary), TABLE, frame(), SCAN, EOI)],
  ]),
  ...ofWebp(
    ['EXIF', 'XMP ', 'ICCP', 'junk', 'ALP2'].map((type) => [
      `the chunk ${type}`,
      webp(extended(0x2c), riff(type, canary), lossless()),
    ]),
  ),
  ...ofWebp([['alpha beside a lossless picture', webp(extended(0x10), riff('ALPH', canary), lossless())]]),
  ...tails(),
]

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
const REFUSED: Case[] = [
  ...(['png', 'jpg', 'webp'] as const).flatMap((extension): Case[] => [
    ['an empty file', Buffer.alloc(0), extension],
    ['an SVG', Buffer.from(SVG), extension],
    ['HTML', canary, extension],
    ...(['png', 'jpg', 'webp'] as const)
      .filter((other) => other !== extension)
      .map((other): Case => [`a ${other} declared as ${extension}`, GOOD[other], extension]),
    ...[0.2, 0.5, 0.8, 0.97].map((part): Case => [
      `only the first ${part * 100} % of a ${extension}`,
      GOOD[extension].subarray(0, Math.floor(GOOD[extension].length * part)),
      extension,
    ]),
    ['more bytes than allowed', Buffer.concat([GOOD[extension], Buffer.alloc(100 * 1024)]), extension],
  ]),
  ...ofPng([
    ['an SVG in UTF-16', Buffer.from(SVG, 'utf16le')],
    ['a compressed SVG', gzipSync(SVG)],
    ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
    ['a BMP', Buffer.from('BM\u0000\u0000')],
    ['an icon', Buffer.from([0, 0, 1, 0])],
    ['HTML before the picture', Buffer.concat([canary, PNG])],
    ['no header', png(idat(), END)],
    ['two headers', png(header(), header(), idat(), END)],
    ['a late header', png(chunk('tEXt'), header(), idat(), END)],
    ['no pixels', png(header(), END)],
    ['too few pixels', png(header(), idat(PIXELS.subarray(1)), END)],
    ['a bomb: a small header and 50 MB of pixels', png(header(), idat(Buffer.alloc(50_000_000)), END)],
    ['a filter that does not exist', png(header(), idat(Buffer.alloc(14, 5)), END)],
    ['width 0', png(header({ width: 0 }), idat(), END)],
    ['height 0', png(header({ height: 0 }), idat(), END)],
    ['width 1025', png(header({ width: 1025 }), idat(), END)],
    ['2³¹ by 2³¹', png(header({ width: 2 ** 31, height: 2 ** 31 }), idat(), END)],
    ['depth 3', png(header({ rest: [3, 2, 0, 0, 0] }), idat(), END)],
    ['colour type 1', png(header({ rest: [8, 1, 0, 0, 0] }), idat(), END)],
    ['colour type 255', png(header({ rest: [8, 255, 0, 0, 0] }), idat(), END)],
    ['compression 1', png(header({ rest: [8, 2, 1, 0, 0] }), idat(), END)],
    ['interlace 2', png(header({ rest: [8, 2, 0, 0, 2] }), idat(), END)],
    ['a short header', png(chunk('IHDR', Buffer.alloc(12)), idat(), END)],
    ['no palette', withPalette()],
    ['a palette of 257 colours', withPalette(chunk('PLTE', Buffer.alloc(771)))],
    ['a palette of 4 bytes', withPalette(chunk('PLTE', Buffer.alloc(4)))],
    ['two palettes', withPalette(chunk('PLTE', Buffer.alloc(3)), chunk('PLTE', Buffer.alloc(3)))],
    ['a wrong checksum', Buffer.from(PNG).fill(1, PNG.length - 14, PNG.length - 12)],
    ['a chunk of 2³² − 1 bytes', png(header(), Buffer.from('ffffffff49444154', 'hex'), END)],
  ]),
  ...ofJpeg([
    ['width 0', jpeg(TABLE, frame(0), SCAN, EOI)],
    ['width 1025', jpeg(TABLE, frame(1025), SCAN, EOI)],
    ['65535 by 65535', jpeg(TABLE, frame(65535, 65535), SCAN, EOI)],
    ['two frames', jpeg(TABLE, frame(), frame(), SCAN, EOI)],
    ['a frame after the scan', jpeg(TABLE, frame(), SCAN, frame(), SCAN, EOI)],
    ['a lossless frame', jpeg(TABLE, frame(8, 8, 1, 0xc3), SCAN, EOI)],
    ['an arithmetic frame', jpeg(TABLE, frame(8, 8, 1, 0xc9), SCAN, EOI)],
    ['four components', jpeg(TABLE, frame(8, 8, 4), SCAN, EOI)],
    ['12 bits', jpeg(TABLE, frame(8, 8, 1, 0xc0, 12), SCAN, EOI)],
    ['no scan', jpeg(TABLE, frame(), EOI)],
    ['a scan without a frame', jpeg(TABLE, SCAN, EOI)],
    ['33 scans', jpeg(TABLE, frame(), ...Array<Buffer>(33).fill(SCAN), EOI)],
    ['a segment of length 1', jpeg(Buffer.from([0xff, 0xe0, 0, 1]), TABLE, frame(), SCAN, EOI)],
    ['text instead of a marker', jpeg(canary, TABLE, frame(), SCAN, EOI)],
    ['a second start', jpeg(SOI, TABLE, frame(), SCAN, EOI)],
    ['no end', jpeg(TABLE, frame(), SCAN)],
    ['only fill bytes', jpeg(Buffer.from([0xff, 0xff, 0xff]))],
    ['a segment without its length', jpeg(Buffer.from([0xff, 0xdb, 0]))],
    ['a frame of 5 bytes', jpeg(TABLE, segment(0xc0, Buffer.alloc(5)), SCAN, EOI)],
  ]),
  ...ofJpeg(
    ['c3', 'c5', 'c6', 'c7', 'c8', 'c9', 'ca', 'cb', 'cc', 'cd', 'ce', 'cf', 'dc', 'de', 'df'].map(
      (marker) => [
        `the segment ${marker}`,
        jpeg(segment(Number.parseInt(marker, 16), Buffer.alloc(9)), TABLE, frame(), SCAN, EOI),
      ],
    ),
  ),
  ...ofWebp([
    ['an animation', webp(extended(0x02), riff('ANIM', Buffer.alloc(6)), lossy())],
    ['frames of an animation', webp(riff('ANMF', Buffer.alloc(16)), lossy())],
    ['no picture', webp(extended(0))],
    ['two pictures', webp(lossy(), lossless())],
    ['two alpha chunks', webp(extended(0x10), riff('ALPH', canary), riff('ALPH', canary), lossy())],
    ['no key frame', webp(lossy(8, 8, '9d012a', 1))],
    ['a wrong start code', webp(lossy(8, 8, '000000'))],
    ['width 0', webp(lossy(0))],
    ['a lossy width of 1025', webp(lossy(1025))],
    ['a lossless height of 16384', webp(lossless(8, 16_384))],
    ['a lossless version 1', webp(lossless(8, 8, 1))],
    ['a wrong lossless start', webp(lossless(8, 8, 0, 0x30))],
    ['a sound', riff('RIFF', Buffer.from('WAVEfmt '))],
    ['a chunk header that is cut', webp(lossy(), Buffer.alloc(4))],
    ['a chunk longer than the file', webp(lossy(), Buffer.from('junk\u00ff\u0000\u0000\u0000', 'latin1'))],
  ]),
]

test('there are at least a hundred cases', () => {
  assert.ok(STRIPPED.length + REFUSED.length >= 100, String(STRIPPED.length + REFUSED.length))
})

for (const [extension, good] of Object.entries(GOOD) as [LogoExtension, Buffer][])
  test(`a plain ${extension} is accepted and does not change when it is reduced again`, async () => {
    const { bytes } = await reduceLogo(good, LOGO_TYPES[extension])
    assert.deepEqual((await reduceLogo(bytes, LOGO_TYPES[extension])).bytes, bytes)
    if (extension !== 'png') assert.deepEqual(bytes, good)
  })

test('interlaced, palette-based, transparent and progressive pictures are accepted', async () => {
  const interlaced = png(header({ width: 3, height: 3, rest: [8, 0, 0, 0, 1] }), idat(Buffer.alloc(15)), END)
  const palette = withPalette(chunk('PLTE', Buffer.alloc(6)), chunk('tRNS', Buffer.alloc(2)))
  for (const bytes of [interlaced, palette]) assert.ok(await reduceLogo(bytes, 'image/png'))
  const { bytes } = await reduceLogo(palette, 'image/png')
  assert.ok(bytes.includes('PLTE') && bytes.includes('tRNS'))
  const alpha = webp(extended(0x10), riff('ALPH', Buffer.alloc(4)), lossy())
  assert.deepEqual((await reduceLogo(alpha, 'image/webp')).bytes, alpha)
  assert.ok(await reduceLogo(jpeg(TABLE, frame(8, 8, 3, 0xc2), SCAN, SCAN, EOI), 'image/jpeg'))
})

for (const [caseName, bytes, extension] of STRIPPED)
  test(`a ${extension} is served without ${caseName}`, async () => {
    const reduced = await reduceLogo(bytes, LOGO_TYPES[extension])
    assert.equal(reduced.bytes.includes('canary'), false)
    // Some cases also have a palette or a colour marker, which is kept because it belongs to the picture.
    assert.ok(reduced.bytes.length <= GOOD[extension].length + 64, String(reduced.bytes.length))
  })

for (const [caseName, bytes, extension] of REFUSED)
  test(`refused as ${extension}: ${caseName}`, async () => {
    await assert.rejects(reduceLogo(bytes, LOGO_TYPES[extension]), LogoError)
  })

test('each side of a logo has at least one pixel and at most LOGO_SIDE_MAX', () => {
  requireSize(1, LOGO_SIDE_MAX)
  requireSize(LOGO_SIDE_MAX, 1)
  for (const [width, height, fault] of [
    [0, 1, 'damaged'],
    [1, 0, 'damaged'],
    [LOGO_SIDE_MAX + 1, 1, 'too_large'],
    [1, LOGO_SIDE_MAX + 1, 'too_large'],
  ] as const)
    assert.throws(() => requireSize(width, height), { fault })
})

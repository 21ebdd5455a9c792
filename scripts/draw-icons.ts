// `npm run icons` draws the pictures in server/assets from the product's mark (theme/src/mark.ts). Run it after a change of
// the mark.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { colours } from '@pazar/theme'
import { MARK_PATH, MARK_SIZE, toMarkSvg } from '@pazar/theme/mark'
import { launchBrowser } from '../server/test/browser.ts'

const OUT = new URL('../server/assets/', import.meta.url)
const { accent, onAccent, surface, raised, line, control } = colours.light

/** Home screens cut off the corners of an icon, so the colour covers the whole square. */
const FULL_SQUARE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"><rect width="${MARK_SIZE}" height="${MARK_SIZE}" fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}" transform="translate(3.2 3.2) scale(.8)"/></svg>`

/** The picture of link previews: a checkout page without text, so that it suits every language and merchant. */
const PREVIEW = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="${surface}"/>
<g transform="translate(150 195) scale(7.5)"><rect width="32" height="32" rx="8" fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}"/></g>
<g transform="translate(560 85)"><rect width="470" height="460" rx="32" fill="${raised}" stroke="${line}" stroke-width="3"/>
<rect x="48" y="56" width="180" height="22" rx="11" fill="${control}"/><rect x="48" y="104" width="270" height="52" rx="16" fill="${colours.light.text}"/>
<path d="M48 204h374M48 276h374" stroke="${line}" stroke-width="3"/>
<rect x="48" y="231" width="110" height="18" rx="9" fill="${line}"/><rect x="332" y="231" width="90" height="18" rx="9" fill="${control}"/>
<rect x="48" y="324" width="374" height="84" rx="20" fill="${accent}"/><path d="M213 366l14 14l30-30" fill="none" stroke="${onAccent}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/></g></svg>`

async function draw(browser: Browser, svg: string, width: number, height = width): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(
    `<body style="margin:0">${svg.replace('<svg ', `<svg width="${width}" height="${height}" style="display:block" `)}`,
  )
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

/** Wraps a PNG in the ICO format. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

const browser = await launchBrowser()
const files = {
  'apple-touch-icon.png': await draw(browser, FULL_SQUARE, 180),
  'icon-512.png': await draw(browser, FULL_SQUARE, 512),
  'favicon.ico': toIco(await draw(browser, toMarkSvg(), 32), 32),
  'preview.png': await draw(browser, PREVIEW, 1200, 630),
}
await browser.close()
for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(fileURLToPath(new URL(name, OUT)), bytes)
  console.log(`${name}: ${bytes.length} bytes`)
}

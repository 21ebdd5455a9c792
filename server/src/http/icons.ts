// The service's own icons and the picture of link previews. Checkout pages have their icon inline.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { colours } from '@pazar/theme'
import { MARK_PATH, MARK_SIZE, toMarkSvg } from '@pazar/theme/mark'
import type { Html } from '../lib/html.ts'
import { trustedMarkup } from '../lib/html.ts'

const ASSETS = path.join(import.meta.dirname, '../../assets')

export interface IconFile {
  type: string
  bytes: Buffer
}

export const PREVIEW_PATH = '/preview.png'
const MANIFEST_PATH = '/site.webmanifest'

/** An icon on the home screen opens `/`: the portal, or the home page for people who are not signed in. */
function toManifest(operatorName: string): string {
  const { background, accent } = colours.light
  return JSON.stringify({
    name: operatorName,
    short_name: operatorName,
    start_url: '/',
    display: 'minimal-ui',
    background_color: background,
    theme_color: accent,
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  })
}

export function readIconFiles(operatorName: string): ReadonlyMap<string, IconFile> {
  const read = (name: string, type: string): [string, IconFile] => [
    `/${name}`,
    { type, bytes: readFileSync(path.join(ASSETS, name)) },
  ]
  return new Map([
    read('favicon.ico', 'image/x-icon'),
    read('apple-touch-icon.png', 'image/png'),
    read('icon-512.png', 'image/png'),
    read(PREVIEW_PATH.slice(1), 'image/png'),
    ['/icon.svg', { type: 'image/svg+xml', bytes: Buffer.from(toMarkSvg()) }],
    [MANIFEST_PATH, { type: 'application/manifest+json', bytes: Buffer.from(toManifest(operatorName)) }],
  ])
}

/** For the header of a page. The page's style sheet gives `rect` and `path` their colours. */
export const MARK: Html = trustedMarkup(
  `<svg viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}" aria-hidden="true"><rect width="${MARK_SIZE}" height="${MARK_SIZE}" rx="8"/><path d="${MARK_PATH}"/></svg>`,
)

export const ICON_LINKS: Html = trustedMarkup(
  '<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png">',
)
/** For the head of a page. The page's content security policy must allow the manifest (`hasManifest`). */
export const MANIFEST_LINK: Html = trustedMarkup(`<link rel="manifest" href="${MANIFEST_PATH}">`)

// The files of the built portal are few and small, so they are read once at the start and served from memory.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Locale } from '@pazar/words'

const ROOT = path.join(import.meta.dirname, '../../..')
const DIST = path.join(ROOT, 'portal/dist')
const MANIFEST = path.join(DIST, 'manifest.json')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export function toAssetType(name: string): string | null {
  return /^[\w-]{1,100}\.[a-z]+$/.test(name) ? (TYPES[path.extname(name)] ?? null) : null
}

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

export interface Asset {
  type: string
  plain: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

export interface PortalBuild {
  assets: ReadonlyMap<string, Asset>
  script: string
  styles: readonly string[]
  /** The files that pages need in addition to the script: `entry` before sign-in, `work` after sign-in. */
  preloads: Readonly<Record<Locale, { entry: readonly string[]; work: readonly string[] }>>
}

function readIfExists(file: string): Buffer | null {
  return existsSync(file) ? readFileSync(file) : null
}

function readAssets(): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const name of readdirSync(DIST)) {
    const type = TYPES[path.extname(name)]
    const file = path.join(DIST, name)
    if (type === undefined) continue
    assets.set(name, {
      type,
      plain: readFileSync(file),
      gzip: readIfExists(`${file}.gz`),
      brotli: readIfExists(`${file}.br`),
    })
  }
  return assets
}

let storedBuild: PortalBuild | null = null

/** Returns null until the portal is built. The files do not change while the process runs, so they are read once. */
export function findPortalBuild(): PortalBuild | null {
  storedBuild ??= readPortalBuild()
  return storedBuild
}

function readPortalBuild(): PortalBuild | null {
  if (!existsSync(MANIFEST)) return null
  const chunks = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>
  const all = Object.entries(chunks)
  const entry = all.find(([, chunk]) => chunk.isEntry)?.[1]
  if (!entry) throw new Error('The manifest of the portal has no entry file.')
  const imported = (entry.imports ?? []).map((key) => chunks[key]?.file ?? '')
  const wordsOf = (name: string) => all.find(([key]) => key.endsWith(`portal-${name}.ts`))?.[1].file ?? ''
  const preloadsOf = (locale: Locale) => {
    const entryFiles = [...imported, wordsOf(`entry-${locale}`)].filter((file) => file !== '')
    return {
      entry: entryFiles,
      work: [...entryFiles, wordsOf(`work-${locale}`)].filter((file) => file !== ''),
    }
  }
  const styles = all.flatMap(([key, chunk]) => (key.endsWith('.css') ? [chunk.file] : (chunk.css ?? [])))
  return {
    assets: readAssets(),
    script: entry.file,
    styles: [...new Set(styles)],
    preloads: { cnr: preloadsOf('cnr'), en: preloadsOf('en') },
  }
}

export class PortalBuildError extends Error {}

/** `npm install` builds the portal. If install scripts are disabled, the first start builds it. */
export async function ensurePortalBuild(log: (line: string) => void): Promise<void> {
  if (existsSync(MANIFEST)) return
  const script = path.join(ROOT, 'scripts/build-portal.ts')
  if (existsSync(script)) {
    log('The portal is not built yet; building it once.')
    try {
      await promisify(execFile)(process.execPath, [script], { cwd: ROOT })
    } catch (error) {
      throw new PortalBuildError(`The portal could not be built: ${String(error)}`)
    }
  }
  if (!existsSync(MANIFEST)) throw new PortalBuildError('The portal is not built: run "npm run portal".')
}

// Builds the portal into portal/dist, if its sources have changed.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { hashSources, readStamp, STAMP } from './source-stamp.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'portal/dist')
const SOURCES = [
  'portal/src/**/*',
  'portal/vite.config.ts',
  'portal/package.json',
  'words/src/**/*',
  'theme/src/**/*',
  'examples/verify/*/*',
]
/** Compressing a smaller file saves almost nothing. */
const COMPRESSED_BYTES_MIN = 512

/** Compresses at the highest level in advance, so that the service does not have to compress the files. */
function compressFiles(dir: string): void {
  for (const name of readdirSync(dir).filter((one) => /\.(?:js|css|svg)$/.test(one))) {
    const bytes = readFileSync(path.join(dir, name))
    if (bytes.length < COMPRESSED_BYTES_MIN) continue
    writeFileSync(path.join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(path.join(dir, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
  }
}

function replaceDist(built: string): void {
  const previousDist = `${built}-old`
  try {
    renameSync(DIST, previousDist)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  renameSync(built, DIST)
  rmSync(previousDist, { recursive: true, force: true })
}

export async function ensurePortalBuilt(): Promise<boolean> {
  const stamp = hashSources(ROOT, SOURCES)
  if (readStamp(DIST) === stamp) return false
  // This directory is on the same file system as the target, because a rename works only there.
  const built = mkdtempSync(path.join(ROOT, 'node_modules/.portal-'))
  try {
    const { build } = await import('vite')
    await build({
      root: path.join(ROOT, 'portal'),
      configFile: path.join(ROOT, 'portal/vite.config.ts'),
      logLevel: 'warn',
      cacheDir: path.join(tmpdir(), 'pazar-vite'),
      build: { outDir: built, emptyOutDir: true },
    })
    compressFiles(built)
    writeFileSync(path.join(built, STAMP), stamp)
    chmodSync(built, 0o755) // A temporary directory is private, and the service may run as another user.
    replaceDist(built)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
  return true
}

if (import.meta.main && (await ensurePortalBuilt())) console.log('The portal is built.')

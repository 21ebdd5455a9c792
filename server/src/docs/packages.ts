// Merchants install the SDK and the command line tool from the service. scripts/build-packages.ts packs them.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.join(import.meta.dirname, '../../..')
const DIST = path.join(ROOT, 'packages-dist')

export const PACKAGES = ['pazar-sdk.tgz', 'pazar-cli.tgz'] as const
export type PackageName = (typeof PACKAGES)[number]

export interface PackageFile {
  bytes: Buffer
  etag: string
}

export type FindPackage = (name: PackageName) => PackageFile | null

export function openPackages(dir: string = DIST): FindPackage {
  const cached = new Map<PackageName, PackageFile>()
  return (name) => {
    const file = path.join(dir, name)
    if (!cached.has(name) && existsSync(file)) {
      const bytes = readFileSync(file)
      cached.set(name, { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` })
    }
    return cached.get(name) ?? null
  }
}

/** Packs the packages if they are missing. They are missing after an installation without install scripts, for example. */
export async function ensurePackages(log: (line: string) => void): Promise<void> {
  const script = path.join(ROOT, 'scripts/build-packages.ts')
  if (PACKAGES.every((name) => existsSync(path.join(DIST, name))) || !existsSync(script)) return
  try {
    await promisify(execFile)(process.execPath, [script], { cwd: ROOT })
    log('SDK and command line tool are packed; they are served under /packages.')
  } catch (error) {
    log(`SDK and command line tool could not be packed, so /packages returns 404: ${String(error)}`)
  }
}

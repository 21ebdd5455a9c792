// What merchants install, from the service whose documentation they read: the SDK and the command line tool, packed by
// scripts/build-packages.ts. A copy of the service that never packed them says so.
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

/** Each is read when it is first asked for, and kept: a hundred KB in all. */
export function openPackages(dir: string = DIST): FindPackage {
  const kept = new Map<PackageName, PackageFile>()
  return (name) => {
    const file = path.join(dir, name)
    if (!kept.has(name) && existsSync(file)) {
      const bytes = readFileSync(file)
      kept.set(name, { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` })
    }
    return kept.get(name) ?? null
  }
}

/** Where install scripts are switched off they are packed beside the start: payments need none of it. */
export async function ensurePackages(say: (line: string) => void): Promise<void> {
  const script = path.join(ROOT, 'scripts/build-packages.ts')
  if (PACKAGES.every((name) => existsSync(path.join(DIST, name))) || !existsSync(script)) return
  try {
    await promisify(execFile)(process.execPath, [script], { cwd: ROOT })
    say('SDK and command line tool are packed; they are served under /packages.')
  } catch (error) {
    say(`SDK and command line tool could not be packed, so /packages answers 404: ${String(error)}`)
  }
}

import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { includeParts } from '../server/src/docs/include.ts'
import { ensurePackagesBuilt } from './build-packages.ts'
import { ensurePortalBuilt } from './build-portal.ts'
import { readReleaseFiles, readReleaseVersion } from './release-files.ts'
import { ROOT } from './test-files.ts'

await ensurePortalBuilt()
await ensurePackagesBuilt()
const files = new Map(readReleaseFiles(ROOT, '2026.11.6').map((file) => [file.name, file.bytes]))
const names = [...files.keys()]
const toJson = (name: string) => JSON.parse(String(files.get(name))) as Record<string, unknown>

test('the version of a release is the day of the newest changelog entry', () => {
  assert.equal(readReleaseVersion('# Changelog\n\n## 2026-11-06\ntext\n\n## 2026-01-02\n'), '2026.11.6')
  assert.throws(() => readReleaseVersion('# Changelog\n'), /no entry with a date/)
  for (const name of ['package.json', 'server/package.json', 'package-lock.json'])
    assert.equal(toJson(name)['version'], '2026.11.6', name)
})

test('a release has the built portal, the packages and the start scripts, and no tests', () => {
  for (const name of [
    'portal/dist/manifest.json',
    'packages-dist/pazar-sdk.tgz',
    'packages-dist/pazar-cli.tgz',
  ])
    assert.ok(files.has(name), name)
  for (const name of ['.env.example', 'LICENSE', 'docs/operate.md', 'scripts/preload.cjs'])
    assert.ok(files.has(name), name)
  const unwanted = /\.test\.ts|(?:^|\/)test\/|^(?:\.ci|bench|data|node_modules)\/|^\.env$|\.log$/
  assert.deepEqual(
    names.filter((name) => unwanted.test(name)),
    [],
  )
  // A release has no postinstall script, because postinstall builds with packages that operators do not install.
  assert.deepEqual(Object.keys(toJson('package.json')['scripts'] as object).sort(), ['pazar', 'start'])
})

test('every migration and every file that the service imports is in a release', () => {
  const migrations = globSync('server/migrations/*.sql', { cwd: ROOT })
  assert.ok(migrations.length > 0)
  const wanted = ['server/src/main.ts', 'server/src/cli/main.ts', 'examples/shop/src/main.ts', ...migrations]
  const seen = new Set<string>()
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    assert.ok(files.has(name), name)
    const text = String(files.get(name))
    // Imports of types are not loaded at run time.
    for (const [, from = ''] of text.matchAll(/^(?:import|\} from)(?! type)[^;'"]*'(\.[^']*\.ts)'$/gm))
      wanted.push(path.posix.join(path.posix.dirname(name), from))
  }
  assert.ok(seen.size > 300, `${seen.size} files`)
})

test('every page of the guide can be read from a release', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-release-'))
  try {
    for (const name of names.filter((one) => /^(?:docs|examples)\/|^CHANGELOG/.test(one))) {
      mkdirSync(path.join(dir, path.dirname(name)), { recursive: true })
      writeFileSync(path.join(dir, name), files.get(name) ?? '')
    }
    const pages = globSync('docs/guide/*/*.md', { cwd: ROOT })
    assert.ok(pages.length > 20)
    for (const page of pages) assert.ok(includeParts(readFileSync(path.join(dir, page), 'utf8'), dir) !== '')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('the lock file of a release marks the portal’s packages as dev, and names no registry', () => {
  const packages = toJson('package-lock.json')['packages'] as Record<
    string,
    { dev?: boolean; resolved?: string }
  >
  for (const name of [
    'react',
    'react-dom',
    'lucide-react',
    '@tanstack/react-query',
    '@tanstack/react-router',
    'vite',
  ])
    assert.equal(packages[`node_modules/${name}`]?.dev, true, name)
  // An address would tie every install to one registry.
  const addresses = Object.values(packages).filter(({ resolved }) => resolved?.includes('://'))
  assert.deepEqual(addresses, [])
})

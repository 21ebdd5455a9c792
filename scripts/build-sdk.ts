// `node scripts/build-sdk.ts [folder]` builds the package of the SDK. The default folder is sdk/dist.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SDK = path.join(ROOT, 'sdk')
/** Each path that merchants can import, and its file in sdk/src. */
const ENTRIES = {
  '.': 'merchant',
  './express': 'express',
  './fastify': 'fastify',
  './hono': 'hono',
  './next': 'next',
}
const FORMATS = ['esm', 'cjs'] as const
const TARGET = 'node18'
/** Class names are not minified, because merchants see error classes in their logs. */
const MINIFY = {
  compress: true,
  mangle: { keepNames: { function: false, class: true } },
  codegen: { removeWhitespace: true },
}

export async function buildSdk(outDir: string = path.join(SDK, 'dist')): Promise<string> {
  rmSync(outDir, { recursive: true, force: true })
  for (const format of FORMATS) await buildCode(format, path.join(outDir, format))
  buildTypes(outDir)
  // With this package.json, `.js` in the folder cjs means CommonJS, for Node and for TypeScript.
  writeJson(path.join(outDir, 'cjs/package.json'), { type: 'commonjs' })
  writeJson(path.join(outDir, 'package.json'), toPackage())
  for (const name of ['README.md', 'CHANGELOG.md'])
    copyFileSync(path.join(SDK, name), path.join(outDir, name))
  copyFileSync(path.join(ROOT, 'LICENSE'), path.join(outDir, 'LICENSE'))
  return outDir
}

// The adapters import the main entry instead of a bundled copy, so that `instanceof` works with the error classes.
async function buildCode(format: 'esm' | 'cjs', dir: string): Promise<void> {
  const main = path.join(SDK, 'src/merchant.ts')
  const adapters = Object.values(ENTRIES)
    .map((name) => path.join(SDK, `src/${name}.ts`))
    .filter((file) => file !== main)
  for (const input of [[main], adapters]) {
    const bundle = await rolldown({
      input,
      external: input.includes(main) ? [] : [main],
      platform: 'node',
      transform: { target: TARGET },
    })
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' }
    await bundle.write({ dir, format, minify: MINIFY, ...names, paths: { [main]: './merchant.js' } })
    await bundle.close()
  }
}

function buildTypes(outDir: string): void {
  const esmDir = path.join(outDir, 'esm')
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', path.join(SDK, 'tsconfig.build.json'), '--outDir', esmDir])
  const texts = new Map(
    readdirSync(esmDir)
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => [
        name,
        readFileSync(path.join(esmDir, name), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
      ]),
  )
  const needed = findNeeded(texts)
  for (const [name, text] of texts) {
    if (!needed.has(name)) rmSync(path.join(esmDir, name))
    else for (const format of FORMATS) writeFileSync(path.join(outDir, format, name), text)
  }
}

/** The .d.ts files that the entries use, directly or indirectly. */
function findNeeded(texts: ReadonlyMap<string, string>): Set<string> {
  const needed = new Set(Object.values(ENTRIES).map((name) => `${name}.d.ts`))
  for (const name of needed) {
    for (const [, other] of (texts.get(name) ?? '').matchAll(/from '\.\/([\w-]+)\.js'/g))
      needed.add(`${other}.d.ts`)
  }
  return needed
}

function toPackage(): object {
  const source = JSON.parse(readFileSync(path.join(SDK, 'package.json'), 'utf8')) as Record<string, string>
  const { name, version, description, license } = source
  const toTarget = (folder: string, file: string) => ({
    types: `./${folder}/${file}.d.ts`,
    default: `./${folder}/${file}.js`,
  })
  return {
    name,
    version,
    description,
    license,
    keywords: ['pazar', 'payments', 'checkout', 'webhooks'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    main: './cjs/merchant.js',
    types: './esm/merchant.d.ts',
    // For moduleResolution "node10", which does not read exports.
    typesVersions: {
      '*': Object.fromEntries(
        Object.entries(ENTRIES).flatMap(([subpath, file]) =>
          subpath === '.' ? [] : [[subpath.slice('./'.length), [`./cjs/${file}.d.ts`]]],
        ),
      ),
    },
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([subpath, file]) => [
        subpath,
        { import: toTarget('esm', file), require: toTarget('cjs', file) },
      ]),
    ),
  }
}

function writeJson(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

if (import.meta.main)
  console.log(
    `The SDK is built. To pack it: npm pack ./${path.relative('.', await buildSdk(process.argv[2]))}`,
  )

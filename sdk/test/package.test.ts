// Tests the tarball that merchants install.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildSdk } from '../../scripts/build-sdk.ts'
import { install, pack } from './packed.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** How large the main entry may be, gzipped. */
const GZIP_BYTES_MAX = 8 * 1024
const run = promisify(execFile)

const packed = await pack(buildSdk)
const shop = await install(packed.tarball)
const installed = path.join(shop, 'node_modules/@pazar/sdk')

test('the package holds its code, its types and its documents, and nothing else', () => {
  const documents = packed.files.filter((file) => !/^(esm|cjs)\/[a-z-]+(\.d\.ts|\.js)$/.test(file))
  assert.deepEqual(documents.sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'cjs/package.json',
    'package.json',
  ])
  const toNames = (folder: string) =>
    packed.files.filter((file) => file.startsWith(folder)).map((file) => path.basename(file))
  assert.deepEqual(
    toNames('cjs/').filter((name) => name !== 'package.json'),
    toNames('esm/'),
  )
})

test('the package has no dependencies, names its Node version, and has a file for every export', async () => {
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
    [field: string]: unknown
    exports: Record<string, Record<string, { types: string; default: string }>>
    typesVersions: { '*': Record<string, string[]> }
  }
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts', 'private']) {
    assert.equal(manifest[field], undefined, field)
  }
  assert.equal(manifest['sideEffects'], false)
  assert.deepEqual(manifest['engines'], { node: '>=18' })
  assert.deepEqual(Object.keys(manifest.exports), ['.', './express', './fastify', './hono', './next'])
  const targets = Object.values(manifest.exports).flatMap((kinds) => Object.values(kinds))
  assert.equal(targets.length, 10)
  for (const { types, default: code } of targets) {
    for (const file of [types, code]) assert.ok(packed.files.includes(file.slice('./'.length)), file)
  }
  const { main, types, typesVersions } = manifest
  const typesEntries = Object.entries(typesVersions['*'])
  assert.deepEqual(
    typesEntries.map(([subpath]) => `./${subpath}`),
    Object.keys(manifest.exports).slice(1),
  )
  for (const file of [String(main), String(types), ...typesEntries.flatMap(([, files]) => files)])
    assert.ok(packed.files.includes(file.slice('./'.length)), file)
})

test('the main entry weighs at most 8 KB gzipped', async (t) => {
  const bytes = gzipSync(await readFile(path.join(installed, 'esm/merchant.js')), { level: 9 }).length
  t.diagnostic(`esm/merchant.js: ${bytes} bytes gzipped`)
  assert.ok(bytes <= GZIP_BYTES_MAX, `${bytes} bytes`)
})

const PROGRAM = `
const secret = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const pazar = new Client({ projectId: 'tz4a98xxat96iws9zmbrgj3a', secret, baseUrl: 'https://pay.example.me' })
const { body, headers } = signTestCallback({ secret, customId: 'order-7' })
verifyCallback(body, headers, { secret, expectedAmount: '1500' })
  .then(async (callback) => {
    const post = (text) => new Request('https://shop.example.me', { method: 'POST', body: text, headers })
    const handle = callbackHandler({ secret, expectedAmount: '1500', onCallback() {} })
    const forged = await safeVerifyCallback(body + ' ', headers, { secret, expectedAmount: '1500' })
    console.log(JSON.stringify({
      link: pazar.payUrl({ amount: '1500' }).split('&sig=')[0],
      customId: callback.customId,
      forged: forged.reason + ' ' + forged.error.constructor.name,
      statuses: [(await handle(post(body))).status, (await handle(post(body + ' '))).status],
      isOneClass: forged.error instanceof CallbackVerificationError,
      adapters: adapters.map((adapter) => Object.keys(adapter).sort().join()),
    }))
  })
`
const NAMES = 'CallbackVerificationError, Client, safeVerifyCallback, signTestCallback, verifyCallback'
const ADAPTERS = ['express', 'fastify', 'hono', 'next']
const LOADERS = {
  'shop.mjs': [
    `import { ${NAMES} } from '@pazar/sdk'`,
    ...ADAPTERS.map((name) => `import * as ${name} from '@pazar/sdk/${name}'`),
  ],
  'shop.cjs': [
    `const { ${NAMES} } = require('@pazar/sdk')`,
    ...ADAPTERS.map((name) => `const ${name} = require('@pazar/sdk/${name}')`),
  ],
}

for (const [file, lines] of Object.entries(LOADERS)) {
  test(`the package works with ${file.endsWith('mjs') ? 'import' : 'require'}, adapters included`, async () => {
    const setup = [`const adapters = [${ADAPTERS.join()}]`, 'const { callbackHandler } = next']
    await writeFile(path.join(shop, file), [...lines, ...setup, PROGRAM].join('\n'))
    const { stdout } = await run(process.execPath, [file], { cwd: shop })
    assert.deepEqual(JSON.parse(stdout), {
      link: 'https://pay.example.me/pay?amount=1500&project=tz4a98xxat96iws9zmbrgj3a&data=&mode=test',
      customId: 'order-7',
      forged: 'bad_signature CallbackVerificationError',
      statuses: [200, 400],
      isOneClass: true,
      adapters: ['callbackHandler,keepRawBody', 'callbackPlugin', 'callbackHandler', 'callbackHandler'],
    })
  })
}

// The code samples of the README use these names without declaring them. A sample may still declare one of them itself.
const READER = `
declare const baseUrl: string, projectId: string, secret: string, rawBody: Uint8Array, headers: Record<string, string>
declare const expectedAmount: string, onCallback: (callback: import('@pazar/sdk').Callback) => Promise<void>
declare const findOrder: (customId: string | undefined) => Promise<{ amount: string }>
declare const storedCursor: string | null
declare const handle: (event: import('@pazar/sdk').FeedEvent, cursor: string | null) => Promise<void>
declare const pazar: import('@pazar/sdk').Client`
const APPS = {
  express: "import('express').Express",
  fastify: "import('fastify').FastifyInstance",
  hono: "import('hono').Hono",
}

async function readBlocks(): Promise<string[]> {
  const text = await readFile(path.join(installed, 'README.md'), 'utf8')
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => {
    const app = Object.entries(APPS).find(([name]) => block.includes(`@pazar/sdk/${name}'`))?.[1]
    const imports = "import { Client, signTestCallback, verifyCallback } from '@pazar/sdk'"
    return [imports, ...(app === undefined ? [] : [`declare const app: ${app}`]), block].join('\n')
  })
}

const INVALID_FILES = {
  'no-expected-amount.ts':
    "import { verifyCallback } from '@pazar/sdk'\nawait verifyCallback('', {}, { secret: '' })",
  'amount-as-number.ts':
    "import type { Client } from '@pazar/sdk'\ndeclare const pazar: Client\npazar.payUrl({ amount: 1500 })",
  'unknown-reason.ts':
    "import type { CallbackRefusal } from '@pazar/sdk'\nexport const reason: CallbackRefusal = 'stale'",
  'no-on-callback.ts':
    "import { callbackHandler } from '@pazar/sdk/next'\ncallbackHandler({ secret: '', expectedAmount: '1' })",
  'not-published.ts': "import { parseStrictJson } from '@pazar/sdk'\nparseStrictJson('', { maxDepth: 1 })",
}
const VALID_FILES = {
  'narrowing.ts': `
import { CallbackVerificationError, safeVerifyCallback } from '@pazar/sdk'
const result = await safeVerifyCallback('', new Headers(), { secret: '', mode: 'live', expectedAmount: async () => '1' })
if (!result.ok) throw new CallbackVerificationError(result.reason, result.error.message)
if (!result.callback.successful) console.log(result.callback.failureCode?.length)
const { amount, transactionId }: { amount: string; transactionId: string } = result.callback
console.log(amount, transactionId)`,
  'common.cts': `
import sdk = require('@pazar/sdk')
import { callbackHandler } from '@pazar/sdk/express'
const link: string = new sdk.Client({ projectId: '', secret: '', baseUrl: '' }).payUrl({ amount: '1' })
console.log(link, callbackHandler)`,
}

/** Writes the files to a new folder and returns the compiler's errors about them. */
async function compile(name: string, files: Record<string, string>, options: object): Promise<string> {
  const dir = path.join(shop, name)
  await mkdir(dir)
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(dir, file), text)
  await writeFile(path.join(dir, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    strict: true,
    noEmit: true,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    types: ['node'],
    ...options,
  }
  await writeFile(path.join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc, '-p', dir, '--pretty', 'false'], { cwd: dir }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

test('the published types compile in ES modules and CommonJS of a strict project', async () => {
  assert.equal(
    await compile('right', VALID_FILES, { exactOptionalPropertyTypes: true, skipLibCheck: false }),
    '',
  )
})

test('the published types refuse invalid calls and names that are not published', async () => {
  const errors = await compile('wrong', INVALID_FILES, { skipLibCheck: true })
  for (const file of Object.keys(INVALID_FILES))
    assert.match(errors, new RegExp(`^${file}\\(\\d+,\\d+\\): error`, 'm'))
})

test('the TypeScript of the README compiles against the package and the real frameworks', async () => {
  const blocks = await readBlocks()
  assert.ok(blocks.length >= 8)
  const files = Object.fromEntries(blocks.map((block, n) => [`block-${n}.ts`, block]))
  await mkdir(path.join(shop, 'node_modules/@types'))
  for (const name of ['@types/express', 'fastify', 'hono']) {
    await symlink(path.join(ROOT, 'node_modules', name), path.join(shop, 'node_modules', name))
  }
  assert.equal(await compile('readme', { ...files, 'reader.d.ts': READER }, { skipLibCheck: true }), '')
})

test('the quickstart in the README has twelve lines', async () => {
  const text = await readFile(path.join(installed, 'README.md'), 'utf8')
  const code = /<!-- quickstart -->\n```js\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  assert.equal(code.trimEnd().split('\n').length, 12)
})

test('the sample shop imports only names that merchants can import', async () => {
  const published = new Set(
    Object.keys((await import(path.join(installed, 'esm/merchant.js'))) as Record<string, unknown>),
  )
  for (const name of ['callback.ts', 'shop.ts', 'main.ts']) {
    const text = await readFile(path.join(ROOT, 'examples/shop/src', name), 'utf8')
    for (const [, names = ''] of text.matchAll(/^import \{ ([^}]+) \} from '@pazar\/sdk'/gm)) {
      for (const one of names.split(', ')) assert.ok(published.has(one), `${name} imports ${one}`)
    }
  }
})

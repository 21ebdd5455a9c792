// Checks the code blocks of the guide without running them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { signTestCallback } from '@pazar/sdk'
import { LOCALES } from '@pazar/words'
import { createLibrary } from '../../src/docs/library.ts'
import type { GuidePage } from '../../src/docs/markdown.ts'
import { GUIDE_DEPLOYMENT } from '../../src/docs/deployment.ts'
import { ROOT } from '../tidy/tree.ts'
import type { CodeBlock } from './code-blocks.ts'
import { codeBlocksOf, hasSameShape, isAsShown } from './code-blocks.ts'

// The API document is empty: the pages about the API have only shell code, and another test runs that code.
const library = createLibrary(GUIDE_DEPLOYMENT, () => ({ paths: {}, components: { schemas: {} } }))
const pages = LOCALES.flatMap((locale) => library.pages(locale))

const LANGUAGES = new Set('sh ts js json text php python csharp java go ruby'.split(' '))
/** Other tests run the samples in these languages. */
const SAMPLE_LANGUAGES = new Set('php python csharp java go ruby'.split(' '))

function blocksOf(page: GuidePage): (CodeBlock & { at: string })[] {
  return codeBlocksOf(page).map((block) => ({ ...block, at: `${page.locale}/${page.slug}.md:${block.line}` }))
}

test('every code block of the guide names its language, and code in a language of the samples is marked as a sample', () => {
  const all = pages.flatMap(blocksOf)
  assert.ok(all.length > 100, String(all.length))
  for (const { lang, isSample, at } of all) {
    assert.ok(LANGUAGES.has(lang), `${at}: "${lang}"`)
    assert.equal(SAMPLE_LANGUAGES.has(lang) && !isSample, false, at)
  }
})

test('every file on a guide page, except samples, is run by a later command of that page', () => {
  for (const page of pages) {
    const blocks = blocksOf(page)
    for (const [index, { file, lang, isSample, at }] of blocks.entries()) {
      if (lang === 'js') assert.ok(file, `${at}: JavaScript must be a file, so that it is run`)
      if (file === null || isSample) continue
      const isRun = blocks
        .slice(index)
        .some((later) => later.lang === 'sh' && later.text.includes(`node ${file}`))
      assert.ok(isRun, `${at}: nothing runs ${file}`)
    }
  }
})

test('JSON of the guide that is not the output of a command has the fields of a signed test callback', () => {
  const shown = pages.flatMap((page) => {
    const blocks = blocksOf(page)
    return blocks.filter(({ lang }, index) => lang === 'json' && blocks[index - 1]?.lang !== 'sh')
  })
  const { body } = signTestCallback({ secret: 'sk_test_'.padEnd(40, 'x'), customId: 'order-7', data: 'x' })
  assert.equal(shown.length, LOCALES.length)
  for (const { text, at } of shown)
    assert.deepEqual(Object.keys(JSON.parse(text) as object), Object.keys(JSON.parse(body) as object), at)
})

test('TypeScript on the pages, except samples, compiles with the options of this repository', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-guide-ts-'))
  try {
    await symlink(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'))
    const blocks = pages.flatMap(blocksOf).filter(({ lang, isSample }) => lang === 'ts' && !isSample)
    assert.ok(blocks.length >= 10, String(blocks.length))
    for (const { text, at } of blocks)
      await writeFile(path.join(dir, at.replaceAll(/\W/g, '-') + '.ts'), text)
    const { compilerOptions } = JSON.parse(await readFile(path.join(ROOT, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: object
    }
    await writeFile(path.join(dir, 'package.json'), '{"type":"module"}')
    await writeFile(path.join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const check = promisify(execFile)(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', dir])
    await check.catch((error: Error & { stdout?: string }) => assert.fail(error.stdout ?? error.message))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

test('output shown on a page must equal the real output, except for example values and for parts marked with "…"', () => {
  assert.ok(isAsShown('{"id":"…","ok":true}', '{"id":"x7","ok":true}\n'))
  assert.ok(isAsShown('a…', 'a and more\non other lines'))
  assert.ok(isAsShown('{\n  "id": "…",\n  "ok": true\n}', '{"id":"x7","ok":true}\n'))
  assert.equal(isAsShown('{\n  "id": "…"\n}', '{"id":"x7","ok":true}\n'), false)
  for (const [shown, got] of [
    ['{"ok":true}', '{"ok":false}'],
    ['paid', 'not paid'],
    ['200 image/png', '404 application/problem+json'],
    ['a…b', 'a'],
    ['a.b', 'axb'],
  ])
    assert.equal(isAsShown(shown!, got!), false, shown)
  assert.ok(isAsShown('order-7: success', 'link\norder-7: success\n', true))
  assert.equal(isAsShown('order-7: success', 'link\n', true), false)
})

test('an example of an ID, a time or a duration matches any value of the same kind, and nothing else', () => {
  const id = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
  assert.ok(isAsShown(`{\n  "id": "${id}"\n}`, `{"id":"${id.replaceAll('0', '1')}"}`))
  assert.equal(isAsShown(`{"id":"${id}"}`, '{"id":"x7"}'), false)
  assert.ok(isAsShown('msg_019a8f0e6b1c7c3e9a51 was sent', 'msg_0b was sent'))
  assert.ok(isAsShown('{"at":"2026-11-15T09:30:00.000Z"}', '{"at":"2027-01-02T03:04:05.678Z"}'))
  assert.equal(isAsShown('{"at":"2026-11-15T09:30:00.000Z"}', '{"at":null}'), false)
  assert.ok(isAsShown('[200] 12 ms', '[200] 7 ms'))
  assert.equal(isAsShown('[200] 12 ms', '[400] 12 ms'), false)
})

test('JSON with example values matches output with the same fields and types', () => {
  assert.ok(hasSameShape('{"a":1,"b":[{"c":"x"}]}', '{"a":2,"b":[{"c":"y"},{"c":"z"}]}'))
  assert.ok(hasSameShape('{\n  "a": 1,\n  …\n}', '{"a":2,"b":[]}'))
  assert.ok(hasSameShape('{\n  "b": [\n    1,\n    …\n  ]\n}', '{"b":[2,3]}'))
  assert.ok(hasSameShape('{"a":null}', '{"a":"x"}'))
  assert.equal(hasSameShape('{"a":1}', '{"a":2,"b":3}'), false)
  assert.equal(hasSameShape('{"a":1}', '{"a":"2"}'), false)
  assert.equal(hasSameShape('{\n  "a": 1,\n  …\n}', '{"b":[]}'), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAny, checkDoubleCasts, checkEmptyCatches, checkSilencedTypes } from './honesty.ts'
import { sourceFile } from './source-file.ts'
import type { Rule } from './source-file.ts'

function findLines(rule: Rule, text: string): number[] {
  return rule([sourceFile('server/src/a.test.ts', text)]).map(({ line }) => line)
}

test('the type `any` is found in annotations, casts, type arguments and type aliases', () => {
  for (const code of [
    'let a: any',
    'a as any',
    'Map<string, any>',
    'type A = any[]',
    'f<any>(b)',
    '(): any => b',
  ])
    assert.deepEqual(findLines(checkAny, `\n${code}`), [2], code)
})

test('the word `any` is allowed where it is not a type', () => {
  const code = `Promise.any(all); z.any(); const a = { any: 1 }; 'any'; any(b); property(any, any, c) // any`
  assert.deepEqual(findLines(checkAny, code), [])
})

test('a double cast is found, even in parentheses', () => {
  for (const code of [
    'a as unknown as B',
    '(a as unknown) as B',
    'a as Map<string, C>[] as B',
    'a as D.E as B',
  ])
    assert.deepEqual(findLines(checkDoubleCasts, `\n${code}`), [2], code)
})

test('single casts and renamed imports are not double casts', () => {
  const code = `import { a as b, c as d } from 'e'\nconst f = [g as H, i as unknown, (j as K)]\nconst l = m as const`
  assert.deepEqual(findLines(checkDoubleCasts, code), [])
})

test('the comments @ts-ignore and @ts-nocheck are found; @ts-expect-error and strings are allowed', () => {
  assert.deepEqual(findLines(checkSilencedTypes, '\n// @ts-ignore\na'), [2])
  assert.deepEqual(findLines(checkSilencedTypes, '/* @ts-nocheck */'), [1])
  assert.deepEqual(findLines(checkSilencedTypes, `const a = '@ts-ignore' // @ts-expect-error`), [])
})

test('a catch with neither code nor a comment is found', () => {
  for (const code of [
    'try { a() } catch {}',
    'try { a() } catch (error) {\n}',
    'a().catch(() => {})',
    'a().catch((e) => undefined)',
  ])
    assert.deepEqual(findLines(checkEmptyCatches, `\n${code}`), [2], code)
})

test('a catch with a comment or with code is allowed', () => {
  const samples = [
    'try { a() } catch {\n  // The socket is gone; its last line is lost.\n}',
    'try { a() } catch (error) { report(error) }',
    'a().catch(() => {}) // The file may be gone already.',
    '// The file may be gone already.\na().catch(() => {})',
    'a().catch(() => {\n  // Only stop() ends the pause.\n})',
    'a().catch(report)',
  ]
  for (const code of samples) assert.deepEqual(findLines(checkEmptyCatches, code), [], code)
})

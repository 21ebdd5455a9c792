import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersHtml, wantsJson } from './accept.ts'

const ROWS: [accept: string | undefined, html: boolean, json: boolean][] = [
  [undefined, false, false],
  ['*/*', false, false],
  ['application/json', false, true],
  ['application/problem+json', false, true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true, false],
  ['text/html;q=0.5, application/json', false, true],
  ['text/html, application/json;q=0.9', true, false],
  ['text/*', true, false],
  ['application/json, text/html', true, false],
  ['application/json, text/plain, */*', false, true],
  ['*/*, application/problem+json', false, true],
  ['text/*, application/json', false, false],
  ['text/html;q=nonsense', false, false],
]

for (const [accept, html, json] of ROWS) {
  const preferred = html ? 'a page' : json ? 'JSON' : 'neither a page nor JSON'
  const header = accept === undefined ? 'no Accept header' : `"Accept: ${accept}"`
  test(`a client that sends ${header} prefers ${preferred}`, () => {
    assert.equal(prefersHtml(accept), html)
    assert.equal(wantsJson({ accept }), json)
  })
}

test('a client that sends JSON wants JSON, whatever it accepts', () => {
  for (const accept of [undefined, '*/*', 'text/html'])
    assert.equal(wantsJson({ accept, 'content-type': 'application/json; charset=utf-8' }), true)
  assert.equal(wantsJson({ accept: '*/*', 'content-type': 'application/x-www-form-urlencoded' }), false)
})

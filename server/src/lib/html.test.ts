import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, trustedMarkup } from './html.ts'

test('values are escaped in elements and in attributes', () => {
  const name = `<img src=x onerror="alert('1')">&amp;`
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;'
  assert.equal(html`<p title="${name}">${name}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
  assert.equal(html`${[name, 7]}`.text, `${escaped}7`)
})

test('markup from another template is not escaped again, and null, undefined and false add nothing', () => {
  const rows = ['<', '>'].map((one) => html`<li>${one}</li>`)
  assert.equal(html`<ul>${rows}</ul>${null}${undefined}${false}`.text, '<ul><li>&lt;</li><li>&gt;</li></ul>')
  assert.equal(html`${trustedMarkup('<hr>')}`.text, '<hr>')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '../lib/html.ts'
import { LOCALES, SAMPLE_LANGUAGES } from '@pazar/words'
import { codeBlocksOf } from '../../test/guide/code-blocks.ts'
import { GUIDE_DEPLOYMENT } from './deployment.ts'
import { highlight, toLines } from './highlight.ts'
import { createLibrary } from './library.ts'

const library = createLibrary(GUIDE_DEPLOYMENT, () => ({ paths: {}, components: { schemas: {} } }))

test('comments, strings, numbers and keywords are marked', () => {
  assert.equal(
    highlight(`const a = 'x' // why`, 'ts'),
    `<span class="k">const</span> a = <span class="s">&#39;x&#39;</span> <span class="c">// why</span>`,
  )
  assert.equal(highlight('{"amount":"1500","n":7}', 'json').match(/class="s"/g)?.length, 3)
  assert.match(highlight('curl -s "$URL" # ask', 'sh'), /<span class="c"># ask<\/span>$/)
})

test('neither the slashes nor the fragment of a URL are marked as a comment', () => {
  assert.equal(highlight('https://pay.example.me/a#b', 'sh').includes('class="c"'), false)
  assert.equal(highlight(`url = 'https://pay.example.me'`, 'ts').includes('class="c"'), false)
})

test('markup in code is escaped, and code in an unknown language gets no colours', () => {
  assert.equal(highlight('<script>"</span>"', 'text'), '&lt;script&gt;&quot;&lt;/span&gt;&quot;')
  assert.equal(highlight('// <b>', 'go'), '<span class="c">// &lt;b&gt;</span>')
})

test('each line has a class for its indentation, and a comment over several lines is marked line by line', () => {
  assert.equal(
    toLines(highlight('/* a\n   b */\n\n\tx()', 'go')),
    [
      '<span class="line"><span class="c">/* a</span></span>',
      '<span class="line in3"><span class="c">   b */</span></span>',
      '<span class="line"></span>',
      '<span class="line in2">\tx()</span>',
    ].join('\n'),
  )
  assert.match(toLines('    a'.repeat(5)), /^<span class="line in4">/)
  assert.match(toLines(' '.repeat(30)), /^<span class="line in12">/)
})

test('a backslash at the end of a line stays with the word before it', () => {
  assert.match(
    toLines('curl -s \\\n  url'),
    /^<span class="line">curl -s<span class="joined"> \\<\/span><\/span>\n/,
  )
})

test('every language of the samples is known, and no block of the guide loses a character', () => {
  for (const { id } of SAMPLE_LANGUAGES) assert.match(highlight('"x"', id), /class="s"/, id)
  for (const locale of LOCALES)
    for (const page of library.pages(locale))
      for (const { lang, text } of codeBlocksOf(page)) {
        const shown = highlight(text, lang).replaceAll(/<\/?span[^>]*>/g, '')
        assert.equal(shown, escapeHtml(text), `${locale}/${page.slug}`)
      }
})

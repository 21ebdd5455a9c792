import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-file.ts'
import { checkVisibleWords } from './visible-words.ts'

function check(text: string, path = 'server/src/checkout/form-page.ts'): string[] {
  return checkVisibleWords([sourceFile(path, text)]).map(({ line, text }) => `${line} ${text}`)
}

test('text between tags is found, with its line', () => {
  const page =
    'const page = html`\n  <main class="wide card">${title}\n    <p>Your payment ${\n state} is safe</p>\n  </main>`'
  assert.deepEqual(check(page), ['3 these words belong in the catalogue: Your payment is safe'])
})

test('a single word is found on a button, next to a number and in an attribute that is read aloud', () => {
  for (const markup of [
    '<button>Pay</button>',
    '<b>${count} payments</b>',
    '<a aria-label="Close" href="/">x</a>',
  ])
    assert.equal(check(`html\`${markup}\``).length, 1, markup)
})

test('prose without any tag is found, and so is the subject of a mail', () => {
  assert.equal(check('html`Your payment is on its way`').length, 1)
  assert.equal(check(`send({ subject: 'Your code' })`, 'server/src/accounts/mail.ts').length, 1)
})

test('markup, the brand, code, styles and words from the catalogue are allowed', () => {
  const page = `html\`<!doctype html><html lang="\${lang}"><head><title>\${words.title} · Pazar</title>
    <style>main p { color: red } a b c</style><script>let it = be</script></head>
    <body class="plain page"><!-- why it is here --><h1>\${words.hello}</h1><code>let it be</code>
    <p>&nbsp;\${amount} EUR</p><b>Pazar</b><input required autofocus placeholder="\${words.name}"></body>\``
  assert.deepEqual(check(page), [])
  assert.deepEqual(check('html` required aria-invalid="true" data-some`'), [])
  assert.deepEqual(check(`throw new Error('this page has no form')`), [])
})

test('outside of pages and mails, only templates with the tag `html` are checked, and tests are never checked', () => {
  assert.deepEqual(check('log(`<p>not shown to anyone</p>`)', 'server/src/db/pool.ts'), [])
  assert.deepEqual(check('html`<p>not shown to anyone</p>`', 'server/src/checkout/form-page.test.ts'), [])
})

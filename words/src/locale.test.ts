import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFullIcu, HTML_LANG, INTL_TAG, LOCALE_LABEL, negotiateLocale, parseLocale } from './locale.ts'
import type { Locale, LocaleHints } from './locale.ts'

test('languages and their aliases are accepted in any letter case', () => {
  for (const text of ['cnr', 'CNR', 'me', 'Me', 'sr', 'SR', 'sr-latn', 'sr-Latn']) {
    assert.equal(parseLocale(text), 'cnr', text)
  }
  for (const text of ['en', 'EN', 'En']) assert.equal(parseLocale(text), 'en', text)
})

test('a text that is neither one of our languages nor an alias is refused', () => {
  const unsupported = [
    '',
    ' ',
    'hr',
    'bs',
    'sh',
    'en-GB',
    'en-us',
    'sr-Cyrl',
    'sr-latn-me',
    'cnr-Latn-ME',
    ' cnr',
    'en\n',
  ]
  for (const text of [...unsupported, 'constructor', '__proto__', 'de', '*'])
    assert.equal(parseLocale(text), null, text)
})

const NEGOTIATED: [name: string, hints: LocaleHints, expected: Locale][] = [
  ['without hints English is used', {}, 'en'],
  [
    'null hints are ignored',
    { path: null, query: null, cookie: null, account: null, acceptLanguage: null },
    'en',
  ],
  [
    'the path comes before all other hints',
    { path: 'cnr', query: 'en', cookie: 'en', account: 'en', acceptLanguage: 'en' },
    'cnr',
  ],
  ['the language is found in a whole path', { path: '/cnr/projects?lang=en', query: 'en' }, 'cnr'],
  [
    'a path segment that only begins with a language is ignored',
    { path: '/cnrx/projects', query: 'en', cookie: 'cnr' },
    'en',
  ],
  ['an alias in the path is ignored', { path: '/me/projects', query: 'en', cookie: 'cnr' }, 'en'],
  [
    'the query comes before the cookie',
    { query: 'me', cookie: 'en', account: 'en', acceptLanguage: 'en' },
    'cnr',
  ],
  ['an unknown query is ignored', { query: 'de', cookie: 'cnr' }, 'cnr'],
  ['the cookie comes before the account', { cookie: 'cnr', account: 'en' }, 'cnr'],
  ['a damaged cookie is ignored', { cookie: '"cnr', account: 'cnr' }, 'cnr'],
  ['the account comes before the header', { account: 'cnr', acceptLanguage: 'en' }, 'cnr'],
  ['the header comes last', { acceptLanguage: 'cnr' }, 'cnr'],
]

for (const [name, hints, expected] of NEGOTIATED) {
  test(`selecting a language: ${name}`, () => assert.equal(negotiateLocale(hints), expected))
}

const HEADERS: [header: string, expected: Locale][] = [
  ['sr-Latn-ME,sr;q=0.9,en;q=0.8', 'cnr'],
  ['cnr-ME', 'cnr'],
  ['sh', 'cnr'],
  ['bs-BA', 'cnr'],
  ['HR-hr', 'cnr'],
  ['en-US,en;q=0.9,hr;q=0.8', 'en'],
  ['en;q=0.5, sr;q=0.8', 'cnr'],
  ['en;q=0.5,sr;q=0.5', 'en'],
  ['sr;q=0.5,en;q=0.5', 'cnr'],
  ['de-DE,de;q=0.9,hr;q=0.2,en;q=0.1', 'cnr'],
  ['de,fr;q=0.9', 'en'],
  ['*', 'en'],
  ['cnr;q=0', 'en'],
  ['cnr;q=0.000, en;q=0.1', 'en'],
  ['en;q=0,sr;q=0.001', 'cnr'],
  ['sr ; q=0.3 , en ; q=0.2', 'cnr'],
  ['sr;Q=0.3,en;q=0.2', 'cnr'],
  ['sr;q=2,en;q=0.1', 'en'],
  ['sr;q=abc,en;q=0.1', 'en'],
  ['sr;q=-1,en;q=0.1', 'en'],
  ['sr;q=0.1234,en;q=0.1', 'en'],
  ['sr;level=1;q=0.4,en;q=0.3', 'cnr'],
  ['enx,srx', 'en'],
  [',,;,sr', 'cnr'],
  ['', 'en'],
]

for (const [header, expected] of HEADERS) {
  test(`Accept-Language "${header}" gives ${expected}`, () => {
    assert.equal(negotiateLocale({ acceptLanguage: header }), expected)
  })
}

test('each language has its tags for pages and Intl, and its own name', () => {
  assert.deepEqual(HTML_LANG, { cnr: 'sr-Latn-ME', en: 'en' })
  assert.deepEqual(INTL_TAG, { cnr: 'sr-Latn-ME', en: 'en-GB' })
  assert.deepEqual(LOCALE_LABEL, { cnr: 'Crnogorski', en: 'English' })
})

test('this runtime has the data for Montenegrin', () => {
  assert.doesNotThrow(() => assertFullIcu())
})

test('a runtime without data for Montenegrin is refused', () => {
  assert.throws(() => assertFullIcu('en-US'), /no data for sr-Latn-ME and would use en-US/)
})

// Advice that developers followed into trouble once, held to what is right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'

for (const locale of LOCALES) {
  const { portal } = catalogue(locale)

  test(`in ${locale}: nobody is told to give up signed links because he has no SDK`, () => {
    assert.doesNotMatch(portal.projects.form.signedHint, /SDK/)
  })

  test(`in ${locale}: the test URL left empty mentions the listeners`, () => {
    assert.match(portal.projects.form.testApiUrlHint, /listen/)
  })

  test(`in ${locale}: a token's scope has the name that programs and the guide use`, () => {
    for (const scope of ['read', 'write'] as const)
      assert.ok(portal.account.tokens.scopes[scope].includes(scope))
  })
}

test('in cnr: a button that closes what is shown once is no report that it was saved', () => {
  const { account, keys } = catalogue('cnr').portal
  for (const text of [account.tokens.fresh.close, keys.fresh.close]) assert.match(text, /zatvori/)
})

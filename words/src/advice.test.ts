// Advice that once misled developers, with checks that it stays correct.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'

for (const locale of LOCALES) {
  const { portal } = catalogue(locale)

  test(`in ${locale}: no text advises against signed links because there is no SDK`, () => {
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

test('in cnr: the button that closes a value shown once does not say that it was saved', () => {
  const { account, keys } = catalogue('cnr').portal
  for (const text of [account.tokens.fresh.close, keys.fresh.close]) assert.match(text, /zatvori/)
})

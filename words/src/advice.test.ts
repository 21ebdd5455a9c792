import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'

for (const locale of LOCALES) {
  const { portal, mail, incidents } = catalogue(locale)

  test(`in ${locale}: the hint about signed links does not say that they need an SDK`, () => {
    assert.doesNotMatch(portal.projects.form.signedHint, /SDK/)
  })

  test(`in ${locale}: the hint of the test URL mentions the command listen`, () => {
    assert.match(portal.projects.form.testApiUrlHint, /listen/)
  })

  test(`in ${locale}: the texts of the token scopes read and write contain their technical names`, () => {
    for (const scope of ['read', 'write'] as const)
      assert.ok(portal.account.tokens.scopes[scope].includes(scope))
  })

  test(`in ${locale}: the mail about an incident names a payment only if the incident is about a payment`, () => {
    const toParagraphs = (transactionId: string | null) =>
      mail.incident({
        what: incidents.upstream_unreachable,
        count: 1,
        incidents: [{ number: 12, transactionId }],
        when: '26.07.2026. 17:04 CEST',
      }).paragraphs
    assert.deepEqual(toParagraphs(null), [incidents.upstream_unreachable])
    assert.equal(toParagraphs('019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913').length, 2)
  })
}

test('in cnr: the button below a value that is shown only once says that it closes the dialog', () => {
  const { account, keys } = catalogue('cnr').portal
  for (const text of [account.tokens.fresh.close, keys.fresh.close]) assert.match(text, /zatvori/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'

const PLURAL = { cnr: /obavještenja|\bih\b/, en: /callbacks|them|those/ }
const TROUBLE = { isOperator: true, project: 'Knjižara', cause: 'No response.', fix: 'Start it.' }

for (const locale of LOCALES) {
  const { deliveries_exhausted: toGivenUp, deliveries_healed: toRecovered } = catalogue(locale).mail

  test(`${locale}: the mails about undelivered callbacks use the singular only for one callback`, () => {
    for (const count of [1, 2, 5, 21]) {
      const texts = [
        toGivenUp({ ...TROUBLE, count }).advice,
        toRecovered({ ...TROUBLE, count: 0, givenUp: count }).advice,
        toRecovered({ project: 'Knjižara', count: 0, givenUp: count }).paragraphs.at(-1),
      ]
      for (const text of texts) {
        // The Montenegrin name of the log contains a plural, so the name is removed before the check.
        const about = (text ?? '').replace(/dnevnika obavještenja|callback log/, '')
        assert.equal(PLURAL[locale].test(about), count !== 1, `${count}: ${text}`)
      }
    }
  })
}

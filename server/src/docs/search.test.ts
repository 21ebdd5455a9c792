import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import { toAnchor } from './anchor.ts'
import { GUIDE_DEPLOYMENT } from './deployment.ts'
import { toExcerpt, toMarked } from './excerpt.ts'
import { fold, toTerms } from './fold.ts'
import { createLibrary } from './library.ts'
import { parsePage } from './markdown.ts'
import { joinPhrases } from './phrases.ts'
import { createSpelling } from './spelling.ts'
import { findSharedTerms, toConcept } from './synonyms.ts'

const library = createLibrary(GUIDE_DEPLOYMENT, () => ({ paths: {}, components: { schemas: {} } }))

test('words are compared without diacritics, and đ equals dj', () => {
  assert.equal(fold('Plaćanje ŠĐŽČĆ šđžčć'), 'placanje sdjzcc sdjzcc')
  assert.equal(fold('plac\u0301anje'), 'placanje')
})

test('an unknown word is replaced by a known word that differs by one letter or by two swapped letters', () => {
  const correctFor = (locale: 'en' | 'cnr') => {
    const correct = createSpelling(
      library.pages(locale).flatMap(({ sections }) => sections),
      locale,
    )
    return (word: string) => (toTerms(word, locale) ?? []).map(correct)
  }
  const en = correctFor('en')
  const cnr = correctFor('cnr')
  assert.deepEqual(en('acess'), en('access'))
  assert.deepEqual(en('webhok'), en('webhook'))
  assert.deepEqual(en('singature'), en('signature'))
  assert.deepEqual(cnr('obavjstenje'), cnr('obavještenje'))
  // Words that the pages contain, short words, and words that resemble no known word are not changed.
  for (const word of ['state', 'xyz', 'giraffe']) assert.deepEqual(en(word), toTerms(word, 'en'))
  assert.equal(library.search('en', 'invite my accountant read only acess')[0]?.page.slug, 'security')
})

test('forms of one word have the same term, and stop words have no term', () => {
  for (const words of [
    ['obavještenje', 'obavještenja', 'obavjestenju', 'OBAVJEŠTENJEM'],
    ['narudžba', 'narudžbe', 'narudzbu', 'narudžbama'],
    ['porudžbina', 'porudžbinu', 'porudzbine'],
    ['problem', 'problema', 'problemom'],
    ['ispravan', 'ispravna', 'ispravnog'],
    ['provjera', 'provera', 'proveru'],
    ['cijena', 'cena', 'cijenu'],
    ['događaj', 'dogadjaj', 'dogadaji'],
    ['potpis', 'potpisivanje', 'potpisivanja'],
    ['provizija', 'provizije', 'proviziju'],
  ])
    assert.equal(new Set(words.map((word) => String(toTerms(word, 'cnr')))).size, 1, words.join(' '))
  assert.equal(String(toTerms('signature', 'en')), String(toTerms('signatures', 'en')))
  assert.deepEqual(toTerms('QR', 'cnr'), ['qr'])
  for (const [word, locale] of [
    ['How', 'en'],
    ['Kako', 'cnr'],
    ['što', 'cnr'],
  ] as const)
    assert.equal(toTerms(word, locale), null, word)
})

test('a field is found by its name and by the parts of its name', () => {
  assert.deepEqual(toTerms('resultUrl', 'en'), ['resulturl', 'result', 'url'])
  assert.deepEqual(toTerms('too_many', 'en'), ['too_mani', 'too', 'mani'])
})

test('the name of a product is one word, although it has a capital letter inside', () => {
  assert.deepEqual(toTerms('WordPress', 'en'), ['wordpres'])
})

test('anchors are plain ASCII', () => {
  assert.equal(toAnchor('Šta može poći naopako'), 'sta-moze-poci-naopako')
  assert.equal(toAnchor('POST /sdk/project/add'), 'post-sdk-project-add')
  assert.equal(toAnchor('custom_id_conflict'), 'custom_id_conflict')
})

test('a search for an error code finds its paragraph first', () => {
  for (const code of ['too_many', 'kyc_required', 'custom_id_conflict', 'link_expired']) {
    const [best] = library.search('en', `what does ${code} mean`)
    assert.equal(best?.page.slug, 'errors', code)
    assert.equal(best?.section.anchor, code)
  }
})

test('a misspelt word is found', () => {
  assert.equal(library.search('en', 'verifi signatre')[0]?.page.slug, 'callbacks')
})

test('a search also finds synonyms, and a phrase such as "sign up" counts as one word', () => {
  assert.equal(toConcept('webhook', 'en'), toConcept('callback', 'en'))
  assert.equal(toConcept('netstr', 'en'), 'netstr')
  assert.equal(joinPhrases('How do I sign up?', 'en'), 'How do I signup?')
  assert.equal(joinPhrases('stiglo dva puta', 'cnr'), 'stiglo dvaput')
  const [best] = library.search('en', 'key compromised')
  assert.equal(best?.page.slug, 'security')
})

test('Go is found as golang and by its commands, although "go" is a stop word', () => {
  for (const locale of LOCALES) {
    const found = library.search(locale, 'golang').map(({ page }) => page.slug)
    for (const slug of ['callbacks', 'pay-links', 'status-check', 'quickstart'])
      assert.ok(found.includes(slug), `${locale}: ${slug}`)
    const [best] = library.search(locale, 'go run')
    assert.match(best?.section.text ?? '', /go run/, locale)
  }
})

test('a search for one word prefers headings with that word', () => {
  assert.equal(library.search('en', 'signature')[0]?.section.anchor, 'verify-the-signature')
  assert.equal(library.search('en', 'sign')[0]?.section.anchor, 'sign-without-the-sdk')
  assert.ok(library.search('en', 'signature').every(({ section }) => section.anchor !== 'sign_up_closed'))
  assert.equal(library.search('en', 'sign_up_closed')[0]?.section.anchor, 'sign_up_closed')
  assert.equal(library.search('en', 'webh')[0]?.page.slug, 'callbacks')
  assert.equal(library.search('cnr', 'obavj')[0]?.page.slug, 'callbacks')
})

test('sections with the word itself rank before those with a synonym', () => {
  const found = library.search('en', 'signature').map(({ page, section }) => `${page.slug}#${section.anchor}`)
  assert.ok(
    found.indexOf('cli#why-a-signature-does-not-match') < found.indexOf('pay-links#sign-without-the-sdk'),
  )
  for (const other of ['cli#install-it-and-sign-in', 'errors#email_taken', 'errors#unauthenticated'])
    assert.ok(!found.includes(other), other)
  const [first, second] = library.search('cnr', 'potpis').map(({ section }) => section.anchor)
  assert.ok([first, second].includes('provjerite-potpis'))
})

test('the words of the question are marked in the headings that are found', () => {
  const [hit] = library.search('en', 'signature')
  assert.ok(hit)
  assert.equal(toMarked('A signature & a date', hit, 'en').text, 'A <mark>signature</mark> &amp; a date')
  assert.equal(toMarked('A date', hit, 'en').text, 'A date')
})

test('an excerpt is from a table if only the table has the word', () => {
  const [hit] = library.search('en', 'signature')
  assert.ok(hit)
  const section = { ...hit.section, prose: 'Its fields:', rows: ['exp · the end', 'sig · the signature'] }
  assert.equal(toExcerpt({ ...hit, section }, 'en').text, 'sig · the <mark>signature</mark>')
})

test('an excerpt marks synonyms only if the section has none of the words of the question', () => {
  const [hit] = library.search('en', 'signature')
  assert.ok(hit)
  const excerptOf = (prose: string) => toExcerpt({ ...hit, section: { ...hit.section, prose } }, 'en').text
  assert.equal(excerptOf('An HMAC is a signature.'), 'An HMAC is a <mark>signature</mark>.')
  assert.equal(excerptOf('An HMAC.'), 'An <mark>HMAC</mark>.')
})

test('no word belongs to two groups of synonyms', () => {
  for (const locale of LOCALES) assert.deepEqual(findSharedTerms(locale), [], locale)
})

test('a section with all words of a question ranks before a section that repeats a single word', () => {
  const [best] = library.search('en', 'ship on true without a callback')
  assert.equal(best?.section.anchor, 'may-i-ship-on-true')
})

test('a question that is the heading of a section finds that section first', () => {
  for (const locale of LOCALES)
    for (const page of [library.find(locale, 'questions'), library.find(locale, 'refunds')])
      for (const { heading, anchor } of page?.sections.filter(({ heading }) => heading.endsWith('?')) ?? [])
        assert.equal(library.search(locale, heading)[0]?.section.anchor, anchor, heading)
})

test('"why can I not" and "how can I" are different questions', () => {
  assert.equal(library.search('en', 'How can I refund a payment?')[0]?.page.slug, 'refunds')
  assert.equal(library.search('en', 'Why can I not refund a payment?')[0]?.section.anchor, 'not_refundable')
})

test('several Montenegrin verbs find the page about going live; a result also says whether the question names a field', () => {
  for (const verb of ['preći', 'preci', 'da pređem', 'da se prebacim', 'prelaziti'])
    assert.equal(library.search('cnr', `Kako ${verb} na live?`)[0]?.page.slug, 'go-live', verb)
  for (const name of ['customId', 'customid', 'custom_id_conflict'])
    assert.equal(library.search('en', `giraffe ${name}`)[0]?.hasFieldName, true, name)
  assert.equal(library.search('en', 'giraffe iOS')[0]?.hasFieldName, false)
})

test('signing and verifying a signature are different questions', () => {
  assert.equal(library.search('cnr', 'primjer u javi za potpisivanje')[0]?.page.slug, 'pay-links')
  assert.equal(library.search('cnr', 'primjer u javi za provjeru potpisa')[0]?.page.slug, 'callbacks')
})

test('a search for how to pass the exam finds the section about starting the exam', () => {
  const [best] = library.search('cnr', 'kako da položim ispit')
  assert.equal(`${best?.page.slug}#${best?.section.anchor}`, 'exam#pokrenite-ga-na-svom-racunaru')
})

test('the text of a section keeps the space before a name that begins with a full stop', () => {
  const sections = library.find('en', 'callbacks')?.sections ?? []
  assert.ok(sections.some(({ text }) => text.includes('C#, .NET')))
})

test('the text of a table keeps its cells and rows apart', () => {
  const page = parsePage('# A\n\n| Name | Use |\n|---|---|\n| `a` | first |\n| `b` | |\n', 'en')
  assert.equal(page.sections[0]?.text, 'Name · Use; a · first; b')
})

test('an excerpt is short, marks the matching words and escapes the rest', () => {
  const [hit] = library.search('en', 'netstrings')
  assert.ok(hit)
  const { text } = toExcerpt(hit, 'en')
  assert.match(text, /<mark>netstrings<\/mark>/)
  assert.ok(text.replaceAll(/<[^>]+>/g, '').length < 320, String(text.length))
  const section = { ...hit.section, prose: 'a <b> & netstrings <script>' }
  assert.equal(
    toExcerpt({ ...hit, section }, 'en').text,
    'a &lt;b&gt; &amp; <mark>netstrings</mark> &lt;script&gt;',
  )
})

test('the prose of a section leaves out its tables, and an excerpt prefers the prose', () => {
  const [hit] = library.search('en', 'netstrings')
  assert.ok(hit)
  const excerptOf = (section: { prose: string; text: string }) =>
    toExcerpt({ ...hit, section: { ...hit.section, rows: [], ...section } }, 'en').text
  assert.equal(excerptOf({ prose: 'Its fields:', text: 'Its fields: Field · Meaning' }), 'Its fields:')
  assert.equal(excerptOf({ prose: '', text: 'Field · Meaning' }), 'Field · Meaning')
  const { sections } = parsePage('# A\n\nText.\n\n| B | C |\n|---|---|\n| d | e |', 'en')
  assert.deepEqual([sections[0]?.prose, sections[0]?.text], ['Text.', 'Text. B · C; d · e'])
  assert.deepEqual(sections[0]?.rows, ['d · e'])
})

test('a question of any length is accepted, and a question without words finds nothing', () => {
  assert.deepEqual(library.search('en', '?!… -'), [])
  assert.ok(library.search('en', `signature ${'blah '.repeat(2_000)}`).length > 0)
})

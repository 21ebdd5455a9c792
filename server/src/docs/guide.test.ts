import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_CODES, ERROR_STATUS } from '@pazar/contract'
import {
  catalogue,
  ENDPOINT_COMMANDS,
  findWrongWords,
  LOCALES,
  MONO_COMMANDS,
  SAMPLE_NAMES,
} from '@pazar/words'
import { codeBlocksOf } from '../../test/guide/code-blocks.ts'
import { adaptToDeployment, GUIDE_DEPLOYMENT } from './deployment.ts'
import { createLibrary } from './library.ts'
import type { GuidePage } from './markdown.ts'
import { CHANGELOG, REFERENCE, SLUGS } from './pages.ts'

const GUIDE_SLUGS = SLUGS.filter((slug) => slug !== REFERENCE && slug !== CHANGELOG)
const NO_ROUTES = { paths: {}, components: { schemas: {} } }
const library = createLibrary(GUIDE_DEPLOYMENT, () => NO_ROUTES)
const guide = (locale: 'en' | 'cnr') => GUIDE_SLUGS.map((slug) => library.find(locale, slug)!)
const all = LOCALES.flatMap(guide)

const nameOf = ({ locale, slug }: GuidePage) => `${locale}/${slug}`
const outlineOf = ({ sections }: GuidePage) => sections.map(({ level }) => level)

function proseOf({ markdown }: GuidePage): string {
  return markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`|\]\([^)]*\)|<!--[\s\S]*?-->/g, ' ')
}

test('both languages have the same pages with the same outline', () => {
  for (const slug of [...GUIDE_SLUGS, CHANGELOG]) {
    const [en, cnr] = [library.find('en', slug)!, library.find('cnr', slug)!]
    assert.deepEqual(outlineOf(cnr), outlineOf(en), slug)
    assert.notEqual(cnr.summary, en.summary, slug)
    const shapeOf = (page: GuidePage) => codeBlocksOf(page).map(({ lang, file }) => `${lang} ${file ?? ''}`)
    assert.deepEqual(shapeOf(cnr), shapeOf(en), slug)
  }
})

test('the guide has the sections and commands to which the quickstart and exam pages refer', () => {
  for (const locale of LOCALES) {
    const { quickstart, exam } = catalogue(locale).portal
    const paths = [quickstart.listenPath, quickstart.examPath, exam.ownMachinePath]
    for (const [slug = '', anchor] of paths.map((one) => one.split('#')))
      assert.ok(
        library.find(locale, slug)?.sections.some((section) => section.anchor === anchor),
        anchor,
      )
    const { markdown } = library.find(locale, 'callbacks')!
    for (const command of Object.values(ENDPOINT_COMMANDS))
      assert.ok(markdown.includes(`\`${command.replace(/.*\n# Mono: /, '')}\``), command)
  }
})

test('each page with a sample has the command that compiles its C# version with Mono', () => {
  const pages = { sign: 'pay-links', verify: 'callbacks', check: 'status-check', refund: 'refunds' } as const
  for (const locale of LOCALES)
    for (const name of SAMPLE_NAMES)
      assert.ok(library.find(locale, pages[name])?.markdown.includes(`\`${MONO_COMMANDS[name]}\``), name)
})

test('every page has a summary; all pages except the common questions show a command and end with a list of common problems', () => {
  for (const page of all) {
    assert.ok(page.title && page.summary.length > 40, nameOf(page))
    if (page.slug === 'questions') continue
    assert.ok(
      codeBlocksOf(page).some(({ lang }) => lang === 'sh'),
      nameOf(page),
    )
    const last = page.sections.at(-1)
    assert.equal(
      last?.heading,
      page.locale === 'en' ? 'What goes wrong' : 'Šta može poći naopako',
      nameOf(page),
    )
    assert.ok(
      (last?.markdown.split('\n').length ?? 0) >= 5,
      `${nameOf(page)}: the last section must list at least three problems`,
    )
  }
})

test('every section with an anchor and a text lists the questions that it answers, and every page has at least four sections with questions', () => {
  for (const page of all) {
    const questions = page.sections.map((section) => section.questions).filter((text) => text !== '')
    assert.ok(questions.length >= 4, nameOf(page))
    for (const text of questions) assert.match(text, /\?$/, `${nameOf(page)}: ${text}`)
    // The search compares what a reader asks with the questions of each section.
    const withoutQuestions = page.sections.filter(
      (section) => section.anchor !== null && section.text !== '' && section.questions === '',
    )
    assert.deepEqual(
      withoutQuestions.map(({ heading }) => heading),
      [],
      nameOf(page),
    )
  }
})

test('every heading of a page has its own anchor', () => {
  for (const page of all) {
    const anchors = page.sections.flatMap(({ anchor }) => anchor ?? [])
    assert.equal(new Set(anchors).size, anchors.length, nameOf(page))
    for (const anchor of anchors) assert.ok(page.html.includes(`id="${anchor}"`), `${nameOf(page)}#${anchor}`)
  }
})

test('every error code is explained at its own anchor, with its status', () => {
  for (const locale of LOCALES) {
    const { sections } = library.find(locale, 'errors')!
    for (const code of ERROR_CODES) {
      const section = sections.find(({ anchor }) => anchor === code)
      assert.ok(section, `${locale}#${code}`)
      assert.ok(section.text.startsWith(`${ERROR_STATUS[code]}. `), `${locale}#${code}`)
      assert.ok(section.text.length > 45, `${locale}#${code}`)
    }
    const codes = sections.filter(({ level }) => level === 3).map(({ anchor }) => anchor)
    assert.deepEqual(codes.toSorted(), ERROR_CODES.toSorted(), locale)
  }
})

test('the page of errors begins with a table of all codes by their status', () => {
  for (const locale of LOCALES) {
    const listed = (library.find(locale, 'errors')!.sections[1]?.markdown ?? '')
      .split('\n')
      .flatMap((row) => [...row.matchAll(/\(#(\w+)\)/g)].map(([, code]) => [code, Number(row.slice(2, 5))]))
    assert.deepEqual(Object.fromEntries(listed), ERROR_STATUS, locale)
    assert.equal(listed.length, ERROR_CODES.length, locale)
  }
})

test('the page of pay links first says what a link is, and then states the unit of the amount in bold', () => {
  for (const [locale, amount, start] of [
    ['en', '€15.00', 'A pay link '],
    ['cnr', '15,00\u00A0€', 'Link za plaćanje '],
  ] as const) {
    const [, first = '', second = ''] = library.find(locale, 'pay-links')!.markdown.split('\n\n')
    assert.ok(first.startsWith(start), first)
    assert.match(second, /^\*\*`amount`/)
    assert.ok(second.split('**')[1]?.includes(amount), second)
  }
})

test('the page of QR codes shows a QR code', () => {
  for (const locale of LOCALES)
    assert.match(library.find(locale, 'qr')!.html, /<img src="data:image\/svg\+xml;base64,[^"]+" alt="QR /)
})

test('Montenegrin pages contain no ekavian, Croatian or Cyrillic word', () => {
  for (const page of [...guide('cnr'), library.find('cnr', CHANGELOG)!])
    assert.deepEqual(findWrongWords(proseOf(page)), [], nameOf(page))
})

test('Montenegrin pages address the reader as "vi" and contain no English sentence', () => {
  for (const page of [...guide('cnr'), library.find('cnr', CHANGELOG)!]) {
    const prose = proseOf(page)
    assert.doesNotMatch(
      prose,
      /(?<!\p{L})(?:ti|tebi|tvoj\p{L}*|klikni|unesi|pošalji ga)(?!\p{L})/iu,
      nameOf(page),
    )
    assert.doesNotMatch(prose, /\b(?:the|and|your|with|which|please)\b/i, nameOf(page))
  }
})

test('formatted amounts are in the currency of the deployment', () => {
  const yen = { baseUrl: 'https://pay.example.jp', currency: 'JPY', amountScale: 0 }
  for (const page of all) {
    const shown = adaptToDeployment(page.markdown, page.locale, yen)
    assert.doesNotMatch(shown, /€|\bEUR\b|\b(?:Euro|Evro) \(|pay\.example\.me/, nameOf(page))
  }
  assert.equal(adaptToDeployment('Euro (EUR).', 'cnr', yen), 'Japanski jen (JPY).')
  assert.match(adaptToDeployment('`1500` is €15.00', 'en', yen), /1500` is JP¥1,500/)
})

test('both changelogs have the same dates, each in its language', () => {
  const daysOf = (locale: 'en' | 'cnr') =>
    library.find(locale, CHANGELOG)!.sections.filter(({ level }) => level === 2)
  assert.deepEqual(
    daysOf('cnr').map(({ anchor }) => anchor),
    daysOf('en').map(({ anchor }) => anchor),
  )
  for (const [locale, date] of [
    ['en', '26 July 2026'],
    ['cnr', '26. jula 2026.'],
  ] as const) {
    const { sections, html } = library.find(locale, CHANGELOG)!
    assert.ok(
      sections.some(({ heading, anchor }) => heading === date && anchor === '2026-07-26'),
      locale,
    )
    assert.ok(html.includes(`<h2 id="2026-07-26"><a href="#2026-07-26">${date}</a></h2>`), locale)
    assert.ok(
      sections.some(({ text }) => text.includes('RFC 9457')),
      locale,
    )
  }
})

test('every changelog entry begins with a short sentence in bold, and both changelogs have the same number of entries', () => {
  const counts = LOCALES.map((locale) => {
    const entries = library
      .find(locale, CHANGELOG)!
      .markdown.split('\n')
      .filter((line) => line.startsWith('- '))
    assert.ok(entries.length > 30, locale)
    for (const entry of entries) {
      const lead = /^- \*\*(.+?)\.\*\* /.exec(entry)?.[1] ?? ''
      const words = lead.split(' ').length
      assert.ok(lead !== '' && words >= 2 && words <= 8, entry)
    }
    return entries.length
  })
  assert.equal(counts[0], counts[1])
})

test('nothing in the guide looks like a real secret', () => {
  for (const page of [...all, ...LOCALES.map((locale) => library.find(locale, CHANGELOG)!)]) {
    // This secret is in the example of a signature and belongs to no project.
    const text = page.markdown.replaceAll('sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', '')
    assert.doesNotMatch(text, /sk_(?:live|test)_[A-Za-z0-9]{20,}|pat_[A-Za-z0-9_-]{30,}/, nameOf(page))
  }
})

test('pages name the operator and how to reach them, if the operator has entered a contact', () => {
  const text = 'Ask the operator of this service. Pišite operateru ovog servisa.'
  const named = { ...GUIDE_DEPLOYMENT, operatorName: 'A $& Co', supportUrl: 'mailto:help@example.me' }
  const contact = '(A $& Co, [help@example.me](mailto:help@example.me))'
  assert.equal(adaptToDeployment(text, 'en', GUIDE_DEPLOYMENT), text)
  assert.equal(
    adaptToDeployment(text, 'en', named),
    `Ask the operator of this service ${contact}. Pišite operateru ovog servisa ${contact}.`,
  )
})

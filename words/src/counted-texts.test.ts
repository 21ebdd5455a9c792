// Checks Montenegrin plurals against a reviewed table of forms.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { PluralForms } from './plural.ts'
import { plural } from './plural.ts'
import { textsOf } from './texts.ts'

/** The forms that follow 1, 2 and 5: "1 dan, 2 dana, 5 dana". */
const REVIEWED_FORMS = [
  ['projekat', 'projekta', 'projekata'],
  ['znak', 'znaka', 'znakova'],
  ['bajt', 'bajta', 'bajtova'],
  ['kod', 'koda', 'kodova'],
  ['pregledač', 'pregledača', 'pregledača'],
  ['Zaboravljen je', 'Zaboravljena su', 'Zaboravljeno je'],
  ['API token', 'API tokena', 'API tokena'],
  ['Preostao je', 'Preostala su', 'Preostalo je'],
  ['Isporučeno je', 'Isporučena su', 'Isporučeno je'],
  ['koje je čekalo', 'koja su čekala', 'koja su čekala'],
  ['dan', 'dana', 'dana'],
  ['sat', 'sata', 'sati'],
  ['obavještenje', 'obavještenja', 'obavještenja'],
  ['rezultat', 'rezultata', 'rezultata'],
  ['nesačuvana izmjena', 'nesačuvane izmjene', 'nesačuvanih izmjena'],
  ['plaćanje', 'plaćanja', 'plaćanja'],
  ['neuspješan pokušaj slanja', 'neuspješna pokušaja slanja', 'neuspješnih pokušaja slanja'],
  ['provjera nije izvršena', 'provjere nijesu izvršene', 'provjera nije izvršeno'],
  ['polje', 'polja', 'polja'],
  ['Prekinuta je', 'Prekinute su', 'Prekinuto je'],
  ['sesija', 'sesije', 'sesija'],
  ['stavka', 'stavke', 'stavki'],
  ['Ostala je još', 'Ostale su još', 'Ostalo je još'],
  ['obavještenje se ponovo šalje', 'obavještenja se ponovo šalju', 'obavještenja se ponovo šalje'],
  ['Posljednji', 'Posljednja', 'Posljednjih'],
  ['uspješno plaćanje', 'uspješna plaćanja', 'uspješnih plaćanja'],
  ['povraćaj', 'povraćaja', 'povraćaja'],
  ['spor', 'spora', 'sporova'],
  ['incident čeka', 'incidenta čekaju', 'incidenata čeka'],
  ['spor čeka', 'spora čekaju', 'sporova čeka'],
  ['upit čeka', 'upita čekaju', 'upita čeka'],
  ['spor ili upit čeka', 'spora ili upita čekaju', 'sporova ili upita čeka'],
  ['testni spor', 'testna spora', 'testnih sporova'],
  ['testni upit', 'testna upita', 'testnih upita'],
  ['testni spor ili upit', 'testna spora ili upita', 'testnih sporova ili upita'],
  ['preostao je', 'preostala su', 'preostalo je'],
  ['završenog', 'završena', 'završenih'],
  [
    'obavještenje još nije isporučeno',
    'obavještenja još nijesu isporučena',
    'obavještenja još nije isporučeno',
  ],
  ['obavještenje nije isporučeno', 'obavještenja nijesu isporučena', 'obavještenja nije isporučeno'],
] as const

const toKey = (forms: readonly string[]) => forms.join(' | ')
const REVIEWED_KEYS: ReadonlySet<string> = new Set(REVIEWED_FORMS.map(toKey))

const FORMS_PATTERN = /one: '([^']*)',\s*few: '([^']*)',\s*other: '([^']*)'/g
const COUNTED_PATTERN = /counted\(\s*\w+,\s*'([^']*)',\s*'([^']*)',\s*'([^']*)'/g

async function readForms(): Promise<string[]> {
  const dir = import.meta.dirname
  const names = await readdir(dir, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((name) => readFile(path.join(dir, name), 'utf8')))
  const found = sources.flatMap((source) => [
    ...source.matchAll(FORMS_PATTERN),
    ...source.matchAll(COUNTED_PATTERN),
  ])
  return [...new Set(found.map(([, ...forms]) => toKey(forms)))]
}

test('every plural uses reviewed forms, and every reviewed row is used', async () => {
  assert.deepEqual((await readForms()).toSorted(), [...REVIEWED_KEYS].toSorted())
})

test('the patterns of this file find every plural', async () => {
  const dir = import.meta.dirname
  for (const name of await readdir(dir, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.endsWith('plural.ts')) continue
    const source = await readFile(path.join(dir, name), 'utf8')
    const used = [...source.matchAll(/plural\(\s*(?:'cnr'|locale),/g)].length
    const read =
      [...source.matchAll(FORMS_PATTERN)].length + [...source.matchAll(/\{ one, few, other \}/g)].length
    // format-time.ts has one English plural with a variable `locale`.
    assert.ok(used <= read + (name === 'format-time.ts' ? 1 : 0), `${name}: ${used} used, ${read} read`)
  }
})

const toForms = ([one, few, other]: readonly [string, string, string]): PluralForms => ({ one, few, other })

/** The forms that may follow this number. */
function listAllowedForms(n: number): readonly string[] {
  return REVIEWED_FORMS.map((row) => plural('cnr', n, toForms(row)))
}

test('each number before a reviewed word is followed by a correct form', () => {
  const words = [...new Set(REVIEWED_FORMS.flat())].toSorted((a, b) => b.length - a.length)
  let checked = 0
  for (const { path: key, text } of textsOf('cnr')) {
    for (const { 1: number = '', index } of text.matchAll(
      /(?<![\d.,:])(\d{1,3}(?:\.\d{3})*)[ \u00A0](?=\p{L})/gu,
    )) {
      const rest = text.slice(index + number.length + 1)
      const word = words.find((one) => rest.startsWith(one) && !/^\p{L}/u.test(rest.slice(one.length)))
      if (word === undefined) continue
      checked += 1
      const n = Number(number.replaceAll('.', ''))
      const isRight = listAllowedForms(n).some((form) => rest.startsWith(form))
      assert.ok(isRight, `${key}: "${text}" says ${number} ${word}`)
    }
  }
  // Proves that the test has found texts to check.
  assert.ok(checked > 80, `${checked} counted words were read`)
})

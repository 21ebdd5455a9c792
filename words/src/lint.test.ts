import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWrongWords } from './lint.ts'

// Some of these, such as prečice and cenzura, would match a simpler pattern.
const CORRECT = [
  'Plaćanje je uspješno',
  'povratno obavještenje',
  'Provjeri status',
  'prije 5 minuta',
  'sljedeći pokušaj',
  'Izmijeni projekat',
  'zamijeni ključ',
  'vrijeme',
  'prošlog mjeseca',
  'nedjelja',
  'ponedjeljak',
  'na primjer',
  'posljednjih 7 dana',
  'bezbjednost naloga',
  'pet eura',
  'zahtjev',
  'uspjeh',
  'Plaćanje nije uspjelo',
  'uvijek',
  'tamo gdje ste stali',
  'umjesto toga',
  'promjena lozinke',
  'izvještaj',
  'vrijednost',
  'cijena',
  'rješenje',
  'prečice na tastaturi',
  'predlog za cenzuru i premještanje',
  'vremenske zone',
  'podešavanja, juče, korišćen, računar, januar, čuvanje, pregledač, server, sistem, uslov, tačno, tokom, nazad',
]

const EKAVIAN = [
  'uspešno',
  'Neuspešno',
  'obaveštenje',
  'Obavešteni ste',
  'proveri',
  'Provera statusa',
  'pre 5 minuta',
  'PRE',
  'sledeći',
  'Sledeća stranica',
  'izmeni',
  'izmene',
  'zameni ključ',
  'zamenite',
  'vreme',
  'mesec',
  'meseca',
  'nedelja',
  'sledeće nedelje',
  'ponedeljak',
  'primer',
  'na primer:',
  'poslednja',
  'bezbedno',
  'bezbednost',
  'pet evra',
  'zahtev',
  'zahtevi',
  'uspeh',
  'uspela',
  'uvek',
  'gde',
  'umesto',
  'promena',
  'promeni lozinku',
  'izveštaj',
  'vrednost',
  'cena',
  'cene',
  'rešenje',
]

const CROATIAN = [
  'postavke',
  'tjedan',
  'tvrtka',
  'jučer',
  'korištenje',
  'računalo',
  'siječanj',
  'veljača',
  'zaslon',
  'pohrani',
  'obavijest',
  'preglednik',
  'poslužitelj',
  'sustav',
  'uvjeti',
  'točno',
  'tijekom',
  'natrag',
]

const CYRILLIC = ['Плаћање', 'успјешно', 'Plаćanje with a Cyrillic а', 'ЈЕЗИК', 'Ђ']

test('thirty correct Montenegrin texts pass', () => {
  assert.equal(CORRECT.length, 30)
  for (const text of CORRECT) assert.deepEqual(findWrongWords(text), [], text)
})

test('each of at least sixty wrong texts is found', () => {
  const wrong = [...EKAVIAN, ...CROATIAN, ...CYRILLIC]
  assert.ok(wrong.length >= 60, String(wrong.length))
  for (const text of wrong) assert.notDeepEqual(findWrongWords(text), [], text)
})

test('every wrong word of a sentence is reported whole', () => {
  assert.deepEqual(findWrongWords('Neuspešno: proverite sustav. Језик'), [
    'Neuspešno',
    'proverite',
    'sustav',
    'Језик',
  ])
})

test('a wrong word with a combining caron is found too', () => {
  assert.deepEqual(findWrongWords('uspe\u0161no'.normalize('NFD')), ['uspešno'])
})

test('a second call gives the same result', () => {
  // A global pattern can keep its position after a match.
  assert.deepEqual(findWrongWords('proveri'), ['proveri'])
  assert.deepEqual(findWrongWords('proveri'), ['proveri'])
})

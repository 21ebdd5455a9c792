import type { Catalogue } from '../en.ts'
import { plural } from '../plural.ts'
import { apiTexts } from './api-texts.ts'

const characters = (n: number) => plural('cnr', n, { one: 'znak', few: 'znaka', other: 'znakova' })

export const docs: Catalogue['docs'] = {
  title: 'Dokumentacija',
  intro:
    'Pazar prima plaćanja za vašu prodavnicu: link vodi kupca na stranicu za plaćanje, a potpisano obavještenje javlja vašem serveru kako se plaćanje završilo. Ove stranice vas vode od prvog linka za plaćanje do stvarnog novca, korak po korak. Sve komande i sav kod sa ovih stranica provjeravaju naši testovi.',
  preview: 'Uputstva, kod za osam jezika i pregled API-ja.',
  openapi: 'Opis API-ja za programe',
  search: 'Pretražite dokumentaciju',
  searchButton: 'Pretraži',
  results: (count, query) =>
    `${count} ${plural('cnr', count, { one: 'rezultat', few: 'rezultata', other: 'rezultata' })} za „${query}“`,
  noResults: (query) => `Nema rezultata za „${query}“`,
  tryOther: 'Pokušajte sa manje riječi ili drugim riječima, ili izaberite stranicu sa spiska.',
  emptySearch: 'Upišite šta tražite.',
  allPages: 'Sve stranice',
  onThisPage: 'Na ovoj stranici',
  previous: 'Prethodna',
  next: 'Sljedeća',
  neighbours: 'Prethodna i sljedeća stranica',
  languages: 'Jezik i nalog',
  markdown: 'Ova stranica kao Markdown',
  edit: 'Predložite izmjenu ove stranice',
  copy: 'Kopiraj',
  copied: 'Kopirano',
  skip: 'Pređi na tekst',
  projects: 'Projekti',
  signIn: 'Prijavi se',
  signUp: 'Registruj se',
  yours: 'U primjerima su ID i adrese vašeg projekta:',
  chooseProject: 'Projekat u primjerima',
  show: 'Prikaži',
  strangers: 'Kada se prijavite, u primjerima stoje ID i adrese vašeg projekta.',
  notFound: 'Ova stranica ne postoji u dokumentaciji',
  notFoundText: 'Potražite je ili izaberite stranicu sa spiska.',
  reference: {
    title: 'Pregled API-ja',
    intro:
      'Svaka ruta koju može da pozove prodavnica ili program, sa poljima, odgovorima i komandom za probu. Izrađeno prema opisu na adresi',
    setUp: 'Pripremite terminal',
    setUpText:
      'Komande ispod koriste ove promjenljive. API token kreirajte na portalu, pod „Nalog“; tajni ključ je potreban samo za provjeru statusa.',
    signInText:
      'Dvije rute za stvarni tajni ključ namijenjene su ljudima, a ne tokenima. Na portalu su dostupne jednim klikom; ako koristite curl, prijavite se i ponovo unesite lozinku:',
    tags: {
      projects: 'Projekti',
      transactions: 'Transakcije',
      callbacks: 'Povratna obavještenja',
      checkout: 'Plaćanje',
      assistant: 'Asistent',
    },
    who: 'Ko može da pozove',
    session: 'sesija na portalu, poslije skorašnje potvrde lozinkom',
    token: (scope) => `API token sa dozvolom ${scope}, ili sesija na portalu`,
    secret: 'ko ima tajni ključ projekta: dokaz je hash',
    anybody: 'svako',
    request: 'Zahtjev',
    places: { path: 'u putanji', query: 'u upitu', headers: 'zaglavlja', body: 'tijelo' },
    webhook:
      'To je `POST` na vaš `apiUrl`; kako da ga provjerite i odgovorite na njega: [povratna obavještenja](callbacks.md).',
    answer: 'Odgovor',
    refusals: 'Greške',
    field: 'Polje',
    type: 'Tip',
    required: 'Obavezno',
    meaning: 'Značenje',
    yes: 'da',
    no: 'ne',
    notAlways: 'Nije uvijek prisutno.',
    orElse: 'ili',
    or: 'ili',
    listOf: 'lista:',
    image: 'slika',
    fallback: (value) => `Podrazumijevano: ${value}.`,
    range: (min, max) => `Od ${min} do ${max}.`,
    lengths: (min, max) => `Od ${min} do ${max} ${characters(max)}.`,
    upTo: (max) => `Najviše ${max} ${characters(max)}.`,
    about: (text) => apiTexts[text] ?? text,
  },
}

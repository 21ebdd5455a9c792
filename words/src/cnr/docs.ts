import type { Catalogue } from '../catalogue-type.ts'
import { plural } from '../plural.ts'
import { apiTexts } from './api-texts.ts'
import { fieldTexts } from './field-texts.ts'
import { routeTitles } from './route-titles.ts'

const characters = (n: number) => plural('cnr', n, { one: 'znak', few: 'znaka', other: 'znakova' })

const titles = new Map<string, string>(Object.entries(routeTitles))
const fields = new Map<string, string>(Object.entries(fieldTexts))

export const docs: Catalogue['docs'] = {
  title: 'Dokumentacija',
  intro:
    'Uz Pazar vaša prodavnica prima uplate: link vodi kupca na stranicu za plaćanje, a potpisano obavještenje javlja vašem serveru kako se plaćanje završilo. Ove stranice vas vode od prvog linka za plaćanje do stvarnog novca, korak po korak. Komande i kod sa ovih stranica provjeravaju naši testovi; izuzeci su označeni.',
  groups: {
    start: 'Počnite ovdje',
    accept: 'Naplata',
    callbacks: 'Ishod plaćanja',
    tools: 'Alati',
    live: 'Stvarni režim',
    reference: 'Rute i greške',
  },
  summaries: {
    quickstart: 'Prvi link za plaćanje, testno plaćanje i provjereno obavještenje, za deset minuta.',
    'test-mode': 'Isprobajte svaki ishod plaćanja bez stvarnog novca.',
    questions: 'Kratki odgovori na ono što prodavci prvo pitaju.',
    'pay-links': 'Pošaljite kupca na stranicu za plaćanje potpisanim linkom.',
    qr: 'Kupci skeniraju link za plaćanje: sa fakture, na kasi ili sa plakata.',
    refunds: 'Vratite kupcu cijeli iznos plaćanja ili njegov dio.',
    statement: 'Koliko vam je u mjesecu plaćeno i koliko ste vratili, po danima.',
    callbacks: 'Primite potpisan rezultat svakog plaćanja na svom serveru.',
    'status-check': 'Pitajte da li je narudžba plaćena.',
    events: 'Čitajte redom svaku promjenu plaćanja, povraćaja i sporova.',
    exam: 'Ispitajte svoj server ispravnim i lažnim obavještenjima.',
    sdk: 'Linkovi, obavještenja i provjera statusa u nekoliko redova TypeScript ili JavaScript koda.',
    cli: 'Primajte obavještenja na svom računaru i pravite linkove iz terminala.',
    'go-live': 'Šta provjeriti prije prvog stvarnog plaćanja.',
    security: 'Šta štitimo mi, šta morate vi i šta uraditi ako ključ procuri.',
    reference: 'Svaka ruta sa poljima, odgovorima i komandom za probu.',
    errors: 'Šta znači svaki kod greške i šta da uradite.',
    changelog: 'Šta se promijenilo, najnovije prvo.',
  },
  preview: 'Uputstva, kod za osam programskih jezika i pregled API-ja.',
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
      'Komande ispod koriste ove promjenljive. API tokeni se kreiraju na portalu, pod „Nalog“: jedan sa dozvolom `write` i jedan sa dozvolom `refund`, koji čita i vraća novac u jednom projektu i ne mijenja ništa drugo. Tajni ključ je potreban samo za provjeru statusa. ID transakcije je `id` u spisku plaćanja i `transactionId` u obavještenju; ID obavještenja je zaglavlje `webhook-id` i `id` u dnevniku obavještenja.',
    signInText:
      'Dvije rute za stvarni tajni ključ namijenjene su ljudima, a ne tokenima. Na portalu su dostupne jednim klikom; ako koristite curl, prijavite se i ponovo unesite lozinku:',
    tags: {
      projects: 'Projekti',
      transactions: 'Plaćanja',
      callbacks: 'Obavještenja',
      checkout: 'Stranica za plaćanje',
      assistant: 'Asistent',
    },
    who: 'Ko može da pozove',
    session: 'sesija na portalu u kojoj ste nedavno potvrdili da ste to vi',
    token: (scope) => `API token sa dozvolom ${scope}, ili sesija na portalu`,
    secret: 'ko ima tajni ključ projekta: dokaz je hash',
    anybody: 'svako',
    request: 'Zahtjev',
    places: { path: 'u putanji', query: 'u upitu', headers: 'zaglavlja', body: 'tijelo' },
    webhook:
      'To je `POST` na vaš URL za obavještenja; kako da ga provjerite i odgovorite na njega: [obavještenja](callbacks.md).',
    answer: 'Odgovor',
    refusals: 'Greške',
    field: 'Polje',
    type: 'Tip',
    required: 'obavezno',
    meaning: 'Značenje',
    notAlways: 'Nije uvijek prisutno.',
    orElse: 'ili',
    or: 'ili',
    listOf: 'lista:',
    image: 'slika',
    fallback: (value) => `Podrazumijevano: ${value}.`,
    range: (min, max) => `Od ${min} do ${max}.`,
    lengths: (min, max) => `Od ${min} do ${max} ${characters(max)}.`,
    upTo: (max) => `Najviše ${max} ${characters(max)}.`,
    routeTitle: (route) => titles.get(route) ?? null,
    fieldText: (path) => fields.get(path) ?? null,
    about: (text) => apiTexts[text] ?? text,
  },
}

import type { Catalogue } from '../../catalogue-type.ts'

export const quickstart: Catalogue['portal']['quickstart'] = {
  intro: 'Od početka do ispitane integracije, u vašem programskom jeziku i sa vrijednostima vašeg projekta.',
  start: (verify, callback) =>
    `Kod iz koraka 3 sačuvajte kao ${verify}, a ovaj kao ${callback}, u istoj fascikli. Zatim ga pokrenite:`,
  forward:
    'U drugom terminalu pokrenite prosljeđivanje testnih obavještenja, pa jedno pošaljite dugmetom ispod:',
  buttons: {
    keys: 'Idi na testni ključ',
    token: 'Kreiraj API token',
    link: 'Napravi link ovdje',
    log: 'Vidi obavještenja',
    exam: 'Pokreni ispit ovdje',
    status: 'Provjeri narudžbu ovdje',
    liveKey: 'Idi na stvarni ključ',
  },
  powerShell:
    'U programu PowerShell umjesto export NAZIV= pišite $env:NAZIV=, a vrijednost stavite pod navodnike.',
  withoutNode: 'Bez Node-a',
  listenPath: 'cli#bez-node-a',
  examPath: 'exam#pokrenite-ga-bez-node-a',
  noEndpoint:
    'Shell je za skripte: provjerava zahtjev, ali nije server. Izaberite drugi jezik da biste vidjeli kompletan server.',
  steps: {
    values: {
      title: '1. Vaše vrijednosti',
      text: 'Pokrenite ove redove u svakom terminalu, sa svojim testnim ključem i API tokenom. Token služi da na svom računaru primate obavještenja i pokrećete ispit: potrebna mu je dozvola „Čitanje i izmjene (write)“.',
    },
    payment: {
      title: '2. Napravite link za plaćanje',
      text: 'Vaš server potpisuje link, pa niko ne može promijeniti iznos. Kupca uputite na taj link.',
    },
    callback: {
      title: '3. Provjerite obavještenje',
      text: 'Poslije svakog plaćanja vaš server dobija potpisan zahtjev. Provjerite neobrađeno tijelo, uporedite iznos sa narudžbom i odgovorite sa 200.',
    },
    endpoint: {
      title: '4. Primite ga na svom računaru',
      text: 'Kompletan server koji koristi kod iz koraka 3. Ne treba mu javna adresa.',
    },
    signature: {
      title: '5. Položite ispit',
      text: 'Vašem serveru, čak i kada je na vašem računaru, šaljemo ispravna i lažna obavještenja, a vi vidite koji su odgovori pogrešni.',
    },
    status: {
      title: '6. Provjerite narudžbu',
      text: 'Ako obavještenje ne stigne, pitajte da li je narudžba plaćena.',
    },
    live: {
      title: '7. Pređite na stvarna plaćanja',
      text: 'Unesite svoje adrese, pa umjesto testnog upišite stvarni tajni ključ. Ako prije toga treba provjeriti identitet vlasnika, to piše na pregledu u stvarnom režimu.',
    },
  },
}

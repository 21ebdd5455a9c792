import type { Catalogue } from '../../en.ts'

export const quickstart: Catalogue['portal']['quickstart'] = {
  title: 'Brzi početak',
  intro:
    'Od početka do ispitane integracije, u vašem programskom jeziku i sa vrijednostima vašeg projekta. Izabrani jezik se pamti.',
  code: 'Kod',
  steps: {
    values: {
      title: '1. Vaše vrijednosti',
      text: 'Upišite ih u okruženje svog programa. Testni tajni ključ je pod Ključevi; nikada ne napušta vaš server.',
    },
    payment: {
      title: '2. Napravite link za plaćanje',
      text: 'Vaš server potpisuje link, pa niko ne može promijeniti iznos. Kupca pošaljite na njega.',
    },
    callback: {
      title: '3. Provjerite obavještenje',
      text: 'Poslije svakog plaćanja vaš server dobija potpisan zahtjev. Provjerite neobrađeno tijelo, uporedite iznos sa narudžbom i odgovorite sa 200.',
    },
    signature: {
      title: '4. Položite ispit',
      text: 'Vašem serveru, i onom na vašem računaru, šaljemo ispravna i lažna obavještenja, a vi vidite koji su odgovori pogrešni.',
    },
    status: {
      title: '5. Provjerite narudžbu',
      text: 'Ako obavještenje ne stigne, pitajte da li je narudžba plaćena.',
    },
    live: {
      title: '6. Pređite na stvarna plaćanja',
      text: 'Unesite svoje adrese, pa umjesto testnog upišite stvarni tajni ključ.',
    },
  },
}

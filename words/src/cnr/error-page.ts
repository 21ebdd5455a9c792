import type { Catalogue } from '../catalogue-type.ts'

export const errorPage: Catalogue['errorPage'] = {
  invalid_request: {
    heading: 'Ova adresa nije ispravna',
    text: 'Možda joj nedostaje dio. Otvorite link ponovo tamo gdje ste ga našli.',
  },
  not_found: {
    heading: 'Ova stranica ne postoji',
    text: 'Adresa je možda pogrešno napisana ili je stranica premještena.',
  },
  method_not_allowed: {
    heading: 'Ova stranica se ne može otvoriti na taj način',
    text: 'Vratite se na prethodnu stranicu i upotrijebite dugme ili link na njoj.',
  },
  locked_out: {
    heading: 'Previše pokušaja',
    text: 'Iz bezbjednosnih razloga prijava je neko vrijeme onemogućena. Sačekajte, pa pokušajte ponovo.',
  },
  rate_limited: {
    heading: 'Previše zahtjeva',
    text: 'Sačekajte trenutak, pa pokušajte ponovo.',
  },
  internal_error: {
    heading: 'Došlo je do greške na našoj strani',
    text: 'Pokušajte ponovo. Ako se greška ponovi, obratite se operateru ovog servisa i navedite oznaku zahtjeva.',
  },
  unavailable: {
    heading: 'Servis trenutno nije dostupan',
    text: 'Pokušajte ponovo za koji trenutak.',
  },
  home: 'Idi na početnu stranicu',
  tryAgain: 'Pokušaj ponovo',
  support: 'Obrati se operateru',
  reference: 'Oznaka zahtjeva:',
  ways: {
    docs: { title: 'Dokumentacija', text: 'Vodič, pregled API-ja i pretraga.' },
    projects: { title: 'Vaši projekti', text: 'Plaćanja, obavještenja i podešavanja, poslije prijave.' },
    support: 'Ako ste došli preko našeg linka, javite nam koji je to link.',
  },
}

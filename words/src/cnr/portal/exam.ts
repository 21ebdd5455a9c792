import { formatNumber } from '../../format.ts'
import type { Catalogue } from '../../en.ts'

export const exam: Catalogue['portal']['exam'] = {
  title: 'Ispit integracije',
  intro:
    'Vašem serveru šaljemo ispravna obavještenja, potpisana testnim ključem, i lažna, i pratimo kako odgovara. Novac se ne naplaćuje.',
  target: 'Odredište',
  liveTitle: 'Ovo je vaš stvarni URL za obavještenja',
  liveText:
    'Projekat nema URL za testna obavještenja. Ništa nije potpisano stvarnim ključem i sve narudžbe počinju sa exam-, ali u jednom lažnom obavještenju piše mode live: server koji to ne provjerava upisaće ga kao stvarno plaćanje.',
  toSettings: 'Unesi URL za testna obavještenja',
  orders:
    'Narudžbe iz ispita imaju customId koji počinje sa exam- i iznos 1500. U testnom režimu vaš server treba da ih prihvata.',
  onOwnMachine: 'Server je na vašem računaru? Pokrenite ispit odatle',
  run: 'Pokreni ispit',
  runAgain: 'Pokreni ponovo',
  running: 'Ispit je u toku…',
  runningText: 'Jedanaest zahtjeva, jedan za drugim. Ako je server spor, traje do jednog minuta.',
  what: 'Šta provjeravamo',
  ask: {
    title: 'Poslati na stvarni URL?',
    text: 'Jedanaest testnih zahtjeva ide na adresu koja prima stvarna obavještenja:',
    submit: 'Pošalji',
  },
  passedAll: 'Vaša integracija je položila ispit',
  passedAllText: 'U svim slučajevima odgovara ispravno.',
  failedSome: (n, total) => `Položeno ${formatNumber('cnr', total - n)} od ${formatNumber('cnr', total)}`,
  failedSomeText: 'Ispravite prvu grešku; ona često uzrokuje ostale.',
  passed: 'Položeno',
  failed: 'Nije položeno',
  expected: 'Očekivano',
  got: 'Dobijeno',
  fix: 'Šta uraditi',
  answer: 'Odgovor',
  scenarios: {
    good: 'Ispravno obavještenje',
    repeated: 'Isto obavještenje ponovo',
    late_fail: 'Neuspjeh poslije uspjeha',
    failure: 'Neuspješno plaćanje',
    unknown_field: 'Nepoznata polja',
    large_data: 'Dugačak opis (data)',
    bad_signature: 'Pogrešan potpis',
    missing_signature: 'Bez potpisa',
    live_label: 'Test označen kao stvarno plaćanje',
    changed_amount: 'Promijenjen iznos',
    stale_timestamp: 'Staro obavještenje',
    in_time: 'Pravovremeni odgovori',
  },
}

export const debug: Catalogue['portal']['debug'] = {
  title: 'Provjera potpisa',
  intro: 'Unesite obavještenje koje je vaš server odbio i pogledajte koji dio nije ispravan.',
  modeHint: 'Provjerava se tajnim ključem režima koji je izabran gore.',
  paste: 'Cijeli zahtjev',
  pasteHint:
    'Zaglavlja, prazan red, pa tijelo, onako kako stoje u dnevniku vašeg servera. Polja ispod se popunjavaju sama.',
  notRead: 'U ovom tekstu nema zaglavlja obavještenja.',
  id: 'Zaglavlje webhook-id',
  timestamp: 'Zaglavlje webhook-timestamp',
  signature: 'Zaglavlje webhook-signature',
  body: 'Neobrađeno tijelo (raw body)',
  bodyHint: 'Važan je svaki bajt, pa i prelomi reda.',
  submit: 'Provjeri potpis',
  clear: 'Obriši',
  matches: 'Potpis je ispravan',
  matchesText: 'Server sa ispravnim ključem prihvata ovaj zahtjev.',
  onlyOld: 'Potpis je ispravan, ali je zahtjev sada prestar',
  wrong: 'Potpis nije ispravan',
  notStored: 'Ono što unesete ne čuvamo.',
  open: 'Provjeri potpis zahtjeva',
}

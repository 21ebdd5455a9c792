import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../catalogue-type.ts'

export const exam: Catalogue['portal']['exam'] = {
  intro:
    'Šaljemo vašem serveru ispravna obavještenja, potpisana testnim ključem, kao i lažna, i pratimo kako odgovara. Novac se ne naplaćuje.',
  target: 'Odredište',
  liveTitle: 'Ovo je vaš stvarni URL za obavještenja',
  liveText:
    'Projekat nema poseban URL za testna obavještenja. U jednom lažnom obavještenju piše mode live: server koji ne provjerava mode upisaće to obavještenje kao stvarno plaćanje.',
  liveShort: 'Zahtjevi iz ispita idu na adresu koja prima stvarna obavještenja.',
  noServerTitle: 'Ovaj projekat još nema server',
  noServerText:
    'Za ispit je potreban URL za testna obavještenja u podešavanjima. Ispit možete pokrenuti i sa svog računara.',
  toSettings: 'Unesi URL za testna obavještenja',
  orders:
    'Narudžbe iz ispita imaju iznos 1500 (u najmanjim jedinicama valute) i broj narudžbe (customId) koji počinje sa exam-. U testnom režimu vaš server mora da ih prihvati. Rezultat ispita koji pokrenete na svom računaru vidi se samo tamo.',
  onOwnMachine: 'Server je na vašem računaru? Pokrenite ispit odatle',
  ownMachinePath: 'exam#pokrenite-ga-na-svom-racunaru',
  run: 'Pokreni ispit',
  runAgain: 'Pokreni ponovo',
  running: 'Ispit je u toku…',
  runningText: 'Ako je server spor, traje do jednog minuta.',
  what: 'Šta provjeravamo',
  ask: {
    title: 'Poslati na stvarni URL?',
    text: 'Testni zahtjevi idu na adresu koja prima stvarna obavještenja:',
    submit: 'Ipak pošalji',
  },
  passedAll: 'Vaša integracija je položila ispit',
  passedAllText: 'U svim slučajevima odgovara ispravno.',
  failedSome: (n, total) => `Položeno ${formatNumber('cnr', total - n)} od ${formatNumber('cnr', total)}`,
  failedSomeText: 'Ispravite prvu grešku; ona često uzrokuje ostale.',
  stoppedTitle: 'Zaustavljeno kod prve provjere',
  stoppedText: (n) =>
    `Vaš server nije dostupan, pa ${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'provjera nije izvršena', few: 'provjere nijesu izvršene', other: 'provjera nije izvršeno' })}.`,
  passed: 'Položeno',
  failed: 'Nije položeno',
  notSent: 'Nije poslato',
  expected: 'Očekivano',
  got: 'Dobijeno',
  fix: 'Šta treba da uradite',
  answer: 'Odgovor vašeg servera',
  notes: {
    late_fail: 'Zakašnjeli neuspjeh ne smije poništiti plaćenu narudžbu.',
    unknown_field: 'Vaš server treba da zanemari polja koja ne poznaje.',
    live_label: 'Potpisan je testnim ključem i mora biti odbijen.',
  },
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
    refund: 'Povraćaj dijela iznosa',
    refund_first: 'Povraćaj prije rezultata plaćanja',
    forged_refund: 'Povraćaj sa pogrešnim potpisom',
    dispute_opened: 'Otvoren spor',
    forged_dispute: 'Spor sa pogrešnim potpisom',
    dispute_closed: 'Zatvoren spor',
    in_time: 'Odgovara na vrijeme',
  },
}

export const debug: Catalogue['portal']['debug'] = {
  intro: 'Nalijepite obavještenje koje je vaš server odbio i pogledajte koji dio nije ispravan.',
  modeHint: { test: 'Provjerava se testnim ključem.', live: 'Provjerava se stvarnim ključem.' },
  secrets: 'Otvori stranicu Ključevi',
  paste: 'Cijeli zahtjev',
  parts: 'Zaglavlja i tijelo, jedno po jedno',
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
  fromHash:
    'Ovo može biti posljedica toga što nema polja hash. Ako se ova greška pojavi i kada je tijelo potpuno:',
  notStored: 'Ono što unesete ne čuvamo.',
  open: 'Provjeri potpis zahtjeva',
}

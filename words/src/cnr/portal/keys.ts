import type { Catalogue } from '../../catalogue-type.ts'

export const keys: Catalogue['portal']['keys'] = {
  title: 'Ključevi',
  intro:
    'Vaš server njima potpisuje linkove i provjerava obavještenja. Ne stavljajte ih u pregledač, aplikacije ni repozitorijume.',
  live: 'Stvarni tajni ključ',
  test: 'Testni tajni ključ',
  liveText: 'Za stvarne linkove i stvarna obavještenja. Za prikaz potvrdite da ste to vi.',
  testText: 'Za testne linkove i testna obavještenja. Novac se ne naplaćuje.',
  rotatedAt: 'Izdat',
  reveal: 'Prikaži',
  hide: 'Sakrij',
  rotate: 'Zamijeni ključ',
  value: 'Tajni ključ',
  hidesSoon: 'Sakriva se poslije 60 sekundi ili kada napustite stranicu.',
  masked: 'sakriveno',
  env: {
    title: 'Na vašem serveru',
    text: 'Obje vrijednosti upišite u okruženje programa, nikada u kod. Umjesto <…>, zajedno sa zagradama, upišite ključ koji ćete kopirati sa ove stranice.',
    placeholders: {
      live: '<vaš stvarni ključ>',
      test: '<vaš testni ključ>',
      token: '<vaš API token>',
    },
  },
  next: {
    title: 'Sljedeći stvarni ključ',
    text: 'Zamjena bez prekida u prijemu obavještenja: pripremite sljedeći ključ, dodajte ga na server pored važećeg, pređite na njega, pa odmah na serveru zamijenite stari ključ novim. Do prelaska se pripremljeni ključ ne koristi.',
    prepare: 'Pripremi sljedeći ključ',
    missed: 'Nijeste ga kopirali?',
    prepareAgain: 'Zamijeni drugim',
    promote: 'Pređi na ovaj ključ…',
    discard: 'Odbaci',
    copyNow:
      'Kopirajte ga odmah. Sakriva se za 60 sekundi i ne može se ponovo prikazati. Ako ne stignete, zamijenite ga drugim.',
    prepared: 'Ključ je prikazan jednom i ne može se ponovo prikazati.',
    discardedAt: (when) => `Ako ne pređete na njega do ${when}, odbacuje se. Važeći ključ i dalje radi.`,
    steps: {
      copy: 'Kopirajte pripremljeni ključ.',
      add: 'Dodajte ga na server kao PAZAR_NEXT_SECRET, pored važećeg.',
      change: 'Kada bude na serveru, pređite na njega.',
      replace:
        'Odmah zatim ga na serveru upišite kao PAZAR_SECRET, umjesto starog, i uklonite PAZAR_NEXT_SECRET. Dotle se novi linkovi i provjere statusa sa vašeg servera odbijaju.',
    },
    links: 'Poslije prelaska već poslati potpisani linkovi i njihovi odštampani QR kodovi prestaju da rade.',
  },
  dialog: {
    titleLive: 'Zamijeniti stvarni ključ?',
    titleTest: 'Zamijeniti testni ključ?',
    titleNext: 'Preći na pripremljeni ključ?',
    hasNext:
      'Vaš server već mora da ima pripremljeni ključ: od prelaska se njime potpisuju obavještenja. Odmah poslije prelaska upišite ga kao PAZAR_SECRET: dotle se novi linkovi i provjere statusa sa vašeg servera odbijaju.',
    discardsNext: 'Imate pripremljen ključ. Ovom zamjenom nastaje drugi, a pripremljeni se odbacuje.',
    toNext: 'Idi na pripremljeni ključ',
    immediate: 'Stari ključ prestaje da radi odmah.',
    stops: {
      callbacks: 'Obavještenja potpisana novim ključem neće proći provjeru dok ga ne unesete na server.',
      links:
        'Potpisani linkovi koje ste već poslali prestaju da rade, a sa njima i odštampani QR kodovi potpisanih linkova.',
      testLinks: 'Testni linkovi potpisani starim ključem prestaju da rade.',
      status: 'Provjere statusa potpisane starim ključem biće odbijene.',
    },
    typeName: (name) => `Za potvrdu upišite „${name}“`,
    saferWay: 'Vaš server može bez prekida da prima obavještenja ako prvo pripremite sljedeći ključ.',
    submit: 'Zamijeni odmah',
    submitNext: 'Pređi odmah',
  },
  fresh: {
    title: 'Ovo je novi tajni ključ',
    text: 'Odmah ga unesite na svoj server. Možete ga prikazati i kasnije.',
    textNext:
      'Odmah ga na serveru upišite kao PAZAR_SECRET, umjesto starog, i uklonite PAZAR_NEXT_SECRET. Možete ga prikazati i kasnije.',
    envLine: 'Red za vašu .env datoteku',
    close: 'Sačuvano, zatvori',
  },
}

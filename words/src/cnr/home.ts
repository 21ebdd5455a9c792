import type { Catalogue } from '../catalogue-type.ts'

export const home: Catalogue['home'] = {
  title: (name) => `${name} – plaćanja preko linka`,
  description:
    'Gotova stranica za plaćanje: vi pošaljete link, kupac plati na jednostavnoj stranici, a vaš server dobije potpisan rezultat.',
  skip: 'Pređi na tekst',
  menu: 'Glavni meni',
  docs: 'Dokumentacija',
  docsShort: 'Uputstva',
  signIn: 'Prijavi se',
  signUp: 'Registruj se',

  heading: 'Primajte uplate preko linka',
  lead: (name) =>
    `Stranicu za plaćanje obezbjeđuje ${name}. Vi pošaljete link, kupac plati, a vaš server dobije potpisan rezultat koji može da provjeri.`,
  try: 'Isprobaj plaćanje',
  tryNote: 'Dva klika. Bez naloga, bez kartice, bez stvarnog novca.',
  trySample: 'Testno plaćanje',
  signUpNote: 'Testni režim radi odmah, bez stvarnog novca.',
  closedNote: 'Naloge otvara operater ovog servisa.',
  quickstart: 'Brzi početak',

  picture: {
    shop: 'Vaša prodavnica',
    order: 'Narudžba 7',
    received: 'Rezultat je stigao',
    log: 'Dnevnik obavještenja',
    delivered: 'Isporučeno',
    retried: 'Poslato ponovo',
    justNow: 'upravo sada',
    minutes: (count) => `prije ${count} min`,
    attempt: (number) => `${number}. pokušaj`,
  },

  trip: {
    heading: 'Put jednog plaćanja',
    text: 'Četiri koraka, od linka do rezultata na vašem serveru.',
    who: { shop: 'Prodavac', payer: 'Kupac', service: 'Servis', bank: 'Banka' },
    arrows: {
      link: 'link',
      pays: 'plaća',
      charge: 'naplata',
      decision: 'da ili ne',
      result: 'potpisan rezultat',
      back: 'povratak',
    },
    steps: {
      link: {
        title: 'Vi pošaljete link',
        text: 'U njemu su iznos, narudžba i vaš potpis. Napravite ga u svom kodu, na portalu ili kao QR kod.',
      },
      pays: {
        title: 'Kupac potvrdi',
        text: 'Na jednoj maloj stranici, na crnogorskom ili engleskom, koja radi i bez JavaScripta. Iznos piše na dugmetu.',
      },
      charge: {
        title: 'Banka odluči',
        text: 'Za narudžbu koja ima broj (customId) ne pokrećemo drugu naplatu: ni kada kupac dva puta pritisne „Plati“, ni kada se veza prekine.',
      },
      result: {
        title: 'Vaš server dobije rezultat',
        text: 'Kao potpisano obavještenje. Zatim se kupac vraća na vaš sajt. Ako vaš server ne prihvati obavještenje, slanje ponavljamo oko tri dana.',
      },
    },
  },

  gets: {
    heading: 'Šta dobijate',
    text: 'Sve između „Plati“ i „plaćeno“, i jasan pregled kada nešto nije u redu.',
    callbacks: {
      title: 'Potpisana obavještenja',
      text: 'HMAC-SHA256, prema specifikaciji Standard Webhooks. Provjera staje u nekoliko redova koda.',
    },
    log: {
      title: 'Dnevnik obavještenja',
      text: 'Svaki pokušaj sa zahtjevom, odgovorom, trajanjem i uzrokom neuspjeha. Ponovno slanje jednim klikom.',
    },
    status: {
      title: 'Provjera statusa',
      text: 'U svakom trenutku možete da pitate da li je narudžba plaćena. Odgovor je jasan: plaćeno ili (još) nije.',
    },
    qr: {
      title: 'QR kodovi',
      text: 'Svaki link za plaćanje kao PNG ili SVG, za fakturu, kasu ili plakat.',
    },
    refunds: {
      title: 'Povraćaji',
      text: 'Cijelog iznosa ili dijela, na portalu ili preko API-ja. Nikad više nego što je plaćeno.',
    },
    test: {
      title: 'Testni režim i ispit',
      text: 'Isprobajte svaki ishod, a zatim neka ispit provjeri vaš server prije prvog stvarnog plaćanja.',
    },
  },

  code: {
    heading: 'Budite sigurni da je plaćeno',
    text: 'Potpis dokazuje ko je poslao rezultat. Cijena iz vaše evidencije odlučuje da li je plaćeno dovoljno. Uz SDK se oboje provjerava jednim pozivom.',
    other: 'Kod za osam programskih jezika',
    label: 'Provjera obavještenja u jeziku TypeScript',
  },

  end: {
    heading: 'Pogledajte kako radi',
    text: 'Brzi početak vas za deset minuta vodi od nule do provjerenog obavještenja.',
  },

  footer: {
    links: 'Više',
    reference: 'Pregled API-ja',
    changelog: 'Dnevnik izmjena',
  },
}

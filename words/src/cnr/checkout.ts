// The merchant's name is never used where grammar would change its ending. So the texts have "Prodavac: X" and plain
// headings.
// Long: one list of texts.
import type { Catalogue } from '../catalogue-type.ts'

const NO_MONEY_TAKEN = 'Za ovaj pokušaj novac nije naplaćen.'

export const checkout: Catalogue['checkout'] = {
  title: (amount, shop) => `Platite ${amount} – ${shop}`,
  testBar: 'Testni režim: novac se ne naplaćuje',
  sandboxBar: 'Probno okruženje: novac se ne naplaćuje',

  labels: {
    merchant: 'Prodavac',
    amount: 'Iznos',
    description: 'Opis',
    order: 'Broj narudžbe',
    method: 'Način plaćanja',
    contact: 'Kontakt prodavca',
    website: 'Sajt prodavca',
    linkAmount: 'Iznos sa ovog linka',
    reference: 'Referenca plaćanja',
    paidAt: 'Vrijeme plaćanja',
    refunded: 'Vraćeno',
    refunding: 'Povraćaj u toku',
    returnedByBank: 'Vratila banka',
    net: 'Ostaje plaćeno',
    supportReference: 'Oznaka zahtjeva',
  },

  actions: {
    pay: (amount) => `Plati ${amount}`,
    retry: (amount) => `Pokušaj ponovo: plati ${amount}`,
    payAgain: 'Plati ponovo',
    tryAgain: 'Pokušaj ponovo',
    checkAgain: 'Provjeri ponovo',
    continue: 'Nastavi',
    continueAtBank: 'Nastavi plaćanje',
    startOver: (amount) => `Počni ispočetka: plati ${amount}`,
    openLinkAgain: 'Ponovo otvori link za plaćanje',
    showReceipt: 'Prikaži potvrdu o plaćanju',
    cancel: 'Odustani i vrati se na sajt prodavca',
    cancelHere: 'Odustani',
    backToPayment: 'Nazad na plaćanje',
    returnToMerchant: 'Povratak na sajt prodavca',
    help: 'Potraži pomoć',
    about: (operator) => `Idi na početnu stranicu: ${operator}`,
    print: 'Odštampaj',
    copy: 'Kopiraj',
    copied: 'Kopirano',
  },

  ready: {
    heading: () => 'Plaćanje',
    amount: 'Za uplatu',
  },
  preview: {
    title: (amount) => `Platite ${amount}`,
    text: 'Otvorite stranicu, provjerite prodavca i iznos i platite.',
  },
  steps: {
    methods: { card: 'Kartica', bank: 'Bankovni račun', wallet: 'Digitalni novčanik' },
    simulated: 'Simulirano, bez kartice',
    afterSimulated: 'Kada pritisnete dugme, plaćanje se simulira.',
    afterPage: (page) =>
      `Kada pritisnete dugme, otvara se stranica servisa ${page}. Tamo unosite podatke za plaćanje.`,
    afterBank:
      'Na ovoj stranici ne unosite podatke o kartici. Ako ih banka traži, ili traži vašu potvrdu, njena stranica se otvara kada pritisnete dugme.',
    thenReturn: 'Zatim se vraćate na sajt prodavca.',
    thenReceipt: 'Zatim vidite potvrdu o plaćanju.',
  },
  submitting: {
    button: 'Obrada…',
    note: 'Nemojte zatvarati ovu stranicu. Ovo može potrajati do pola minuta.',
  },
  redirect: {
    heading: 'Otvaramo stranicu na kojoj završavate plaćanje',
    host: (host) => `Otvara se stranica: ${host}`,
  },
  bankStepOpen: {
    heading: 'Plaćanje čeka da ga završite',
    money: 'Nećete platiti dva puta.',
    next: 'Nastavite tamo gdje ste stali ili počnite ispočetka.',
  },
  bankStepElsewhere: {
    heading: 'Plaćanje ove narudžbe započeto je na drugom mjestu',
    detail: 'Još nije završeno: otvoreno je u drugom prozoru ili na drugom uređaju.',
    money: 'Preko ove stranice novac nije naplaćen i nećete platiti dva puta.',
    next: 'Završite ga tamo ili ovdje počnite ispočetka: prvo plaćanje biće otkazano prije nego što novo počne.',
  },
  bankStepKept: {
    heading: 'Prvo plaćanje nije moglo da se otkaže',
    money: 'Novo plaćanje nije započeto, pa nećete platiti dva puta.',
    next: 'Završite već započeto plaćanje ili pokušajte ponovo za koji trenutak.',
  },
  inFlight: {
    heading: 'Plaćanje ove narudžbe je već u toku',
    money: 'Nemojte plaćati ponovo.',
    next: 'Započeto je u drugom prozoru ili na drugom uređaju i još može uspjeti. Preko ove stranice novac nije naplaćen.',
    close: 'Provjerite ponovo za koji trenutak.',
  },
  pending: {
    heading: 'Plaćanje je u obradi',
    money: 'Novac je možda već rezervisan na vašem računu. Nemojte plaćati ponovo.',
    next: 'Stranica se sama osvježava.',
    slow: 'Obrada traje duže nego obično. Stranicu možete zatvoriti: prodavac će u svakom slučaju saznati ishod.',
  },
  success: {
    heading: 'Plaćanje je završeno',
    receipt: 'Potvrda o plaćanju',
    state: 'Plaćeno',
    order: 'Narudžbu potvrđuje prodavac.',
    resolved: 'Ovo plaćanje je ručno provjereno i potvrđeno kao plaćeno. Narudžbu potvrđuje prodavac.',
    leaving: 'Vraćamo vas na sajt prodavca…',
    close: 'Možete zatvoriti ovu stranicu.',
    notFiscal: 'Ovo nije fiskalni račun.',
    again: 'Platite ponovo samo ako želite novo, odvojeno plaćanje.',
  },
  refunded: {
    heading: 'Novac je vraćen',
    partly: 'Novac je djelimično vraćen',
    all: 'Prodavac je vratio cijeli iznos.',
    part: (net) => `Prodavac je vratio dio iznosa. Ostaje plaćeno ${net}.`,
    byBank: 'Banka je spor riješila u vašu korist i vratila novac.',
    refunding: (amount) => `Povraćaj iznosa ${amount} je u toku.`,
    wait: 'Može proći nekoliko dana dok ga ne vidite na računu.',
  },
  unconfirmed: {
    heading: 'Na ovoj stranici se ne vidi da li ste platili',
    unknown: 'Ovo plaćanje nam nije poznato',
    money: 'Ako ste platili, prodavac će potvrditi vašu narudžbu.',
    next: 'Ako nijeste sigurni, pitajte prodavca prije nego što ponovo platite.',
    close: 'Možete zatvoriti ovu stranicu.',
  },
  receiptMail: {
    open: 'Pošalji e-poštom',
    other: 'Pošalji na drugu adresu',
    email: 'Adresa e-pošte',
    send: 'Pošalji potvrdu',
    note: 'Adresa se koristi samo za ovu poruku, a zatim se briše.',
    sent: {
      heading: 'Potvrda je na putu',
      text: (email) => `Šaljemo je na ${email}. Trebalo bi da stigne za nekoliko minuta.`,
    },
    invalid: { heading: 'Adresa e-pošte nije ispravna', text: 'Provjerite je i pokušajte ponovo.' },
    limited: {
      heading: 'Trenutno više ne možemo slati potvrde',
      text: 'Umjesto toga možete odštampati ovu stranicu.',
    },
  },
  declined: {
    heading: 'Plaćanje nije uspjelo',
    money: NO_MONEY_TAKEN,
    next: 'Možete pokušati ponovo ili se vratiti na sajt prodavca.',
    nextHere: 'Možete pokušati ponovo ili zatvoriti ovu stranicu.',
    contact: 'Obratite se prodavcu.',
    funds: 'Platite drugom karticom ili sa drugog računa, ili pokušajte ponovo kada bude dovoljno novca.',
    identity:
      'Dok banka ne provjeri vaš identitet, novi pokušaj neće pomoći. Obratite se svojoj banci ili platite prodavcu na drugi način.',
    reasons: {
      declined: 'Banka nije odobrila ovo plaćanje.',
      insufficient_funds: 'Nedovoljno sredstava na računu.',
      kyc_required: 'Banka prvo mora da provjeri vaš identitet.',
      cancelled: 'Plaćanje je otkazano prije nego što je završeno.',
      expired: 'Plaćanje nije završeno na vrijeme.',
      not_charged: 'Plaćanje nije izvršeno.',
      upstream_unavailable: 'Banka nije bila dostupna.',
      resolved_unpaid: 'Plaćanje je ručno provjereno i ne važi kao plaćeno.',
      amount_too_small: 'Iznos je premali za banku.',
      amount_too_large: 'Iznos je prevelik za banku.',
      generic: 'Plaćanje nije moglo da se izvrši.',
    },
  },
  outcomeUnknown: {
    heading: 'Ishod još nije poznat',
    money: 'Još ne znamo da li je novac naplaćen. Nemojte plaćati ponovo.',
    next: 'Provjerite ponovo za nekoliko minuta ili javite prodavcu referencu plaćanja.',
  },
  inReview: {
    heading: 'Vaše plaćanje se provjerava',
    money: 'Nemojte plaćati ponovo.',
    next: 'Banka je javila nešto što se ne slaže sa ovim plaćanjem. Ono se ručno provjerava: još ne znamo da li je novac naplaćen.',
    close:
      'Kasnije provjerite ponovo: ishod će biti prikazan ovdje. Ako se obratite prodavcu, navedite referencu plaćanja.',
  },
  otherAttempt: {
    money:
      'Za ovaj pokušaj novac nije naplaćen, ali je drugi pokušaj za istu narudžbu u toku ili je njime narudžba već plaćena.',
    next: 'Nemojte plaćati ponovo. Možete se vratiti na sajt prodavca.',
    nextHere: 'Nemojte plaćati ponovo.',
  },
  resolvedUnpaid: {
    heading: 'Plaćanje nije uspjelo',
    detail: 'Ručno je provjereno, sa ovim ishodom: nije plaćeno.',
    money:
      'Ako banka prikazuje naplatu za njega, nemojte plaćati ponovo: obratite se prodavcu i navedite referencu plaćanja.',
    next: 'Ako naplate nema, možete platiti ponovo.',
  },
  cancelled: {
    heading: 'Napustili ste stranicu za plaćanje',
    money: 'Do sada u ovom pregledaču nije pokrenuto nijedno plaćanje.',
    next: 'Ako želite da platite, vratite se na plaćanje. Ako ste prije izlaska pritisnuli „Plati“, tamo ćete vidjeti ishod.',
    close: 'Možete zatvoriti ovu stranicu.',
  },

  notices: {
    alreadyPaid: {
      heading: 'Ova narudžba je već plaćena',
      money: 'Ništa dodatno nije naplaćeno.',
      next: 'Vratite se na sajt prodavca.',
      nextHere: 'Možete zatvoriti ovu stranicu.',
    },
    conflict: {
      heading: 'Podaci o narudžbi se ne poklapaju',
      detail: 'Za istu narudžbu već postoji drugo plaćanje, sa drugim iznosom ili opisom.',
      money: NO_MONEY_TAKEN,
      next: 'Prije nego što ponovo platite, pitajte prodavca da li je to plaćanje uspjelo i koji je iznos tačan.',
    },
    linkExpired: {
      heading: 'Link je istekao',
      money: NO_MONEY_TAKEN,
      next: 'Vratite se na sajt prodavca i zatražite novi link.',
    },
    archived: {
      heading: 'Prodavac više ne prima uplate preko ovog linka',
      money: NO_MONEY_TAKEN,
      next: 'Obratite se prodavcu.',
    },
    invalidLink: {
      heading: 'Link za plaćanje nije ispravan',
      detail: 'Možda nedostaje jedan njegov dio ili je izmijenjen.',
      money: NO_MONEY_TAKEN,
      next: 'Otvorite ga ponovo tamo gdje ste ga našli ili zatražite novi link od prodavca.',
    },
    paymentsStopped: {
      heading: 'Plaćanja su privremeno zaustavljena',
      detail: 'Poslije kvara provjeravamo koja su plaćanja izvršena.',
      money: NO_MONEY_TAKEN,
      next: 'Ako ste već platili, nemojte plaćati ponovo. Otvorite ovaj link kasnije.',
    },
    cannotTakePayments: {
      heading: 'Ovaj prodavac još ne može da prima uplate',
      money: NO_MONEY_TAKEN,
      next: 'Obratite se prodavcu.',
    },
    notReady: {
      heading: 'Ovaj prodavac još nije spreman da naplaćuje',
      money: NO_MONEY_TAKEN,
      next: 'Podešavanje još traje. Obratite se prodavcu ili otvorite ovaj link kasnije.',
    },
    busy: {
      heading: 'Trenutno nije moguće platiti',
      money: 'Otvaranjem ove stranice novac nije naplaćen.',
      next: 'Pokušajte ponovo za koji trenutak. Ako ste ranije pritisnuli „Plati“, to plaćanje je možda prošlo: vidjećete ga ovdje.',
    },
    pressRefused: {
      heading: 'Trenutno nije moguće platiti',
      detail:
        'Ovog puta plaćanje nije pokrenuto. Ako ste i ranije pritisnuli „Plati“, to plaćanje je možda prošlo.',
      money: 'Nemojte plaćati ponovo dok to ne provjerite.',
      next: 'Za koji trenutak ponovo otvorite link za plaćanje u istom pregledaču: tamo ćete vidjeti da li je prošlo.',
    },
    pageTooOld: {
      heading: 'Stranica je predugo bila otvorena',
      money: NO_MONEY_TAKEN,
      next: 'Provjerite iznos i potvrdite plaćanje.',
    },
    currencyChanged: {
      heading: 'Promijenjen je iznos ili valuta',
      money: NO_MONEY_TAKEN,
      next: 'Provjerite iznos i potvrdite plaćanje.',
    },
    openElsewhere: {
      heading: 'Link za plaćanje je otvoren i u drugom prozoru',
      money: NO_MONEY_TAKEN,
      next: 'Provjerite iznos i potvrdite plaćanje samo u jednom prozoru.',
    },
    formInvalid: {
      heading: 'Stranica nije mogla da pokrene plaćanje',
      money: NO_MONEY_TAKEN,
      next: 'Provjerite iznos i potvrdite plaćanje.',
    },
    formLost: {
      heading: 'Stranica nije mogla da pokrene plaćanje',
      money: NO_MONEY_TAKEN,
      next: 'Vratite se na sajt prodavca i ponovo otvorite link za plaćanje.',
    },
    formFromElsewhere: {
      heading: 'Plaćanje nije pokrenuto sa naše stranice',
      money: NO_MONEY_TAKEN,
      next: 'Ponovo otvorite link za plaćanje i potvrdite plaćanje na toj stranici.',
    },
    paymentUnknown: {
      heading: 'Plaćanje nije pronađeno',
      money: 'Za adresu ove stranice nije zabilježeno nijedno plaćanje.',
      next: 'Provjerite link ili se obratite prodavcu.',
    },
    stateUnavailable: {
      heading: 'Plaćanje trenutno ne može da se prikaže',
      money: 'To ne utiče na vaše plaćanje. Nemojte plaćati ponovo.',
      next: 'Provjerite ponovo za koji trenutak.',
    },
    offline: {
      heading: 'Nema internet veze',
      money: 'Plaćanje nije pokrenuto.',
      next: 'Kada se veza vrati, pokušajte ponovo.',
    },
  },

  sandboxBank: {
    heading: 'Probna banka',
    text: 'Ovdje se novac ne naplaćuje. Izaberite kako će se plaćanje završiti.',
    approve: 'Odobri plaćanje',
    decline: 'Odbij plaćanje',
  },

  footer: {
    host: (host) => `Plaćate na adresi ${host}`,
    operator: (name) => `Operater servisa: ${name}`,
    links: 'Jezik i pomoć',
    help: 'Pomoć',
    terms: 'Uslovi korišćenja',
    privacy: 'Privatnost',
  },
}

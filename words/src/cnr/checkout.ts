// The texts use the merchant's name only in the nominative case.
// Why this is long: one list of texts.
import type { Catalogue } from '../catalogue-type.ts'

const NOT_CHARGED = 'Ovaj pokušaj nije naplaćen.'

export const checkout: Catalogue['checkout'] = {
  title: (amount, shop) => `Platite ${amount} – ${shop}`,
  testBar: 'Testni režim: novac se ne naplaćuje',
  sandboxBar: 'Test: novac se ne naplaćuje',

  labels: {
    merchant: 'Prodavac',
    amount: 'Iznos',
    description: 'Opis',
    order: 'Broj narudžbe',
    method: 'Način plaćanja',
    website: 'Sajt prodavca',
    email: 'E-pošta',
    site: 'Sajt',
    linkAmount: 'Iznos u ovom linku',
    reference: 'Referenca plaćanja',
    amountPaid: 'Plaćeni iznos',
    paidAt: 'Vrijeme plaćanja',
    refunded: 'Vraćeno',
    refunding: 'Povraćaj u toku',
    returnedByBank: 'Banka vam je vratila',
    net: 'Ostaje plaćeno',
    supportReference: 'Oznaka zahtjeva, ako tražite pomoć',
    contact: 'Imate pitanja? Obratite se prodavcu',
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
    cancel: 'Odustani i vrati se na sajt prodavca',
    cancelHere: 'Odustani',
    backToPayment: (amount) => `Nazad na plaćanje: ${amount}`,
    returnToMerchant: 'Povratak na sajt prodavca',
    help: 'Potraži pomoć',
    about: (operator) => `O servisu ${operator}`,
    print: 'Odštampaj',
  },

  ready: {
    heading: () => 'Plaćanje',
    amount: 'Za uplatu',
  },
  preview: {
    title: (amount) => `Platite ${amount}`,
    text: 'Otvorite stranicu, provjerite prodavca i iznos, pa platite.',
  },
  steps: {
    methods: { card: 'Kartica', bank: 'Bankovni račun', wallet: 'Digitalni novčanik' },
    simulated: 'Simulirano, bez kartice',
    afterSimulated: 'Kada pritisnete dugme, plaćanje se simulira.',
    afterPage: (page) =>
      `Kada pritisnete dugme, otvara se stranica servisa ${page}. Tamo unosite podatke za plaćanje.`,
    afterBank:
      'Kada pritisnete dugme, banka može otvoriti svoju stranicu, na kojoj unosite podatke ili potvrđujete plaćanje.',
    noCardHere: 'Na ovoj stranici se ne unose podaci o kartici.',
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
    heading: 'Plaćanje još nije završeno',
    money: 'Nastavite tamo gdje ste stali ili počnite ispočetka.',
    next: 'Ako počnete ispočetka, prvo otkazujemo plaćanje koje ste već započeli.',
    onlyContinue: 'Nastavite plaćanje koje je već započeto.',
    returned: {
      heading: 'Čekamo da banka javi ishod',
      money: 'Ako ste na stranici banke već platili, nemojte plaćati ponovo: ishod će se pojaviti ovdje.',
      next: 'Ako nijeste, nastavite tamo gdje ste stali ili počnite ispočetka. Ako počnete ispočetka, prvo otkazujemo plaćanje koje ste već započeli.',
      onlyContinue: 'Ako nijeste, nastavite plaćanje koje je već započeto.',
    },
  },
  bankStepElsewhere: {
    heading: 'Plaćanje ove narudžbe započeto je na drugom mjestu',
    detail: 'Još nije završeno: otvoreno je u drugom prozoru ili na drugom uređaju.',
    money: 'Preko ove stranice novac nije naplaćen.',
    next: 'Završite ga tamo ili ovdje počnite ispočetka. Ako počnete ispočetka, prvo otkazujemo već započeto plaćanje.',
  },
  bankStepKept: {
    heading: 'Već započeto plaćanje nije moglo da se otkaže',
    money: 'Novo plaćanje nije započeto.',
    next: 'Završite već započeto plaćanje ili pokušajte ponovo za koji trenutak.',
  },
  inFlight: {
    heading: 'Plaćanje ove narudžbe je već u toku',
    money: 'Nemojte plaćati ponovo.',
    next: 'Možda je započeto u drugom prozoru ili na drugom uređaju, i još može uspjeti. Preko ove stranice novac nije naplaćen.',
    close: 'Provjerite ponovo za koji trenutak. Ako to plaćanje ne uspije, možete platiti ovdje.',
  },
  pending: {
    heading: 'Plaćanje je u obradi',
    money: 'Novac je možda već rezervisan na vašem računu. Nemojte plaćati ponovo.',
    simulated: 'Kod stvarnog plaćanja novac bi sada možda bio rezervisan. Nemojte plaćati ponovo.',
    next: 'Stranica se sama osvježava.',
    slow: 'Obrada traje duže nego obično. Stranicu možete zatvoriti: prodavac će u svakom slučaju saznati ishod.',
  },
  success: {
    heading: 'Plaćanje je završeno',
    receipt: 'Potvrda o plaćanju',
    state: 'Plaćeno',
    order: 'Narudžbu potvrđuje prodavac.',
    noOrder: 'Prodavac dobija obavještenje o vašoj uplati.',
    disputed: 'Banka je prijavila spor oko ovog plaćanja. Odluka još nije donesena.',
    resolved: 'Ovo plaćanje je ručno provjereno: potvrđeno je da je izvršeno.',
    reopened: {
      heading: 'Već ste platili',
      money: 'Novo plaćanje nije pokrenuto.',
      text: 'Ovo je potvrda o vašem ranijem plaćanju.',
    },
    leaving: 'Vraćamo vas na sajt prodavca…',
    close: 'Možete zatvoriti ovu stranicu.',
    notFiscal: 'Ovo nije fiskalni račun.',
    again: 'Platite ponovo samo ako želite novo, odvojeno plaćanje.',
  },
  refunded: {
    heading: 'Novac je vraćen',
    partly: 'Novac je djelimično vraćen',
    all: 'Prodavac je vratio cijeli iznos.',
    part: 'Prodavac je vratio dio iznosa.',
    byBank: 'Banka je spor riješila u vašu korist i vratila novac.',
    byBoth: 'Dio iznosa je vratio prodavac, a dio banka, koja je spor riješila u vašu korist.',
    refunding: (amount) => `Povraćaj od ${amount} je u toku.`,
    wait: 'Može proći nekoliko dana dok vraćeni novac ne bude vidljiv na vašem računu.',
    simulated: 'Kod stvarnog plaćanja može proći nekoliko dana dok novac ne bude vidljiv na računu.',
  },
  finished: {
    heading: 'Možete zatvoriti ovu stranicu',
    money: 'Narudžbu potvrđuje prodavac. Na ovoj stranici se ne vidi da li ste platili.',
    next: 'Ako nijeste sigurni da li ste platili, pitajte prodavca prije nego što ponovo platite.',
  },
  unconfirmed: {
    heading: 'Na ovoj stranici se ne vidi da li ste platili',
    left: 'Napustili ste stranicu za plaćanje',
    money: 'Ako ste platili, ili nijeste sigurni, pitajte prodavca prije nego što ponovo platite.',
    next: 'Možete zatvoriti ovu stranicu.',
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
    money: NOT_CHARGED,
    next: 'Možete pokušati ponovo ili se vratiti na sajt prodavca.',
    nextHere: 'Možete pokušati ponovo ili zatvoriti ovu stranicu.',
    contact: 'Pitajte prodavca kako da platite.',
    ask: 'Pokušajte drugom karticom ili na drugi način, ili pitajte svoju banku.',
    unsure: 'Ako banka ipak prikazuje naplatu, nemojte plaćati ponovo: obratite se prodavcu.',
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
      resolved_unpaid: 'Ovo plaćanje je ručno provjereno: nije izvršeno.',
      amount_too_small: 'Banka ne prihvata ovako mali iznos.',
      amount_too_large: 'Banka ne prihvata ovako veliki iznos.',
      generic: 'Plaćanje nije moglo da se izvrši.',
    },
  },
  outcomeUnknown: {
    heading: 'Ishod još nije poznat',
    money: 'Još ne znamo da li je novac naplaćen. Nemojte plaćati ponovo.',
    next: 'Za nekoliko minuta ponovo otvorite link za plaćanje u ovom pregledaču: tu ćete vidjeti ishod. Ako ga ne vidite, pitajte prodavca prije nego što ponovo platite.',
  },
  inReview: {
    heading: 'Vaše plaćanje se provjerava',
    elsewhere: 'Plaćanje se provjerava',
    money: 'Nemojte plaćati ponovo.',
    next: 'Banka nam nije dala jasan odgovor, pa se ovo plaćanje ručno provjerava. Još ne znamo da li je novac naplaćen.',
    simulated:
      'Banka nam nije dala jasan odgovor, pa se ovo plaćanje ručno provjerava. Kod stvarnog plaćanja se još ne bi znalo da li je novac naplaćen.',
    close:
      'Pritisnite „Provjeri ponovo“ i sačuvajte link stranice koja se otvori: tamo će biti prikazan ishod. Ako se obratite prodavcu, navedite referencu plaćanja.',
  },
  otherAttempt: {
    money: 'Ovaj pokušaj nije naplaćen, ali je drugo plaćanje za istu narudžbu u toku ili je već uspjelo.',
    next: 'Nemojte plaćati ponovo. Možete se vratiti na sajt prodavca.',
    nextHere: 'Nemojte plaćati ponovo.',
  },
  resolvedUnpaid: {
    heading: 'Plaćanje nije uspjelo',
    detail: 'Ovo plaćanje smo ručno provjerili: nije izvršeno.',
    money: 'Ako banka ipak prikazuje naplatu, nemojte plaćati ponovo.',
    simulated: 'Kod stvarnog plaćanja: ako banka ipak prikazuje naplatu, nemojte plaćati ponovo.',
    next: 'U tom slučaju obratite se prodavcu i navedite referencu plaćanja. Ako naplate nema, možete platiti ponovo.',
  },
  cancelled: {
    heading: 'Napustili ste stranicu prije kraja plaćanja',
    notPressed: {
      money: 'Do sada ovo plaćanje nije pokrenuto u ovom pregledaču.',
      next: 'Ako ste prije napuštanja stranice pritisnuli „Plati“, vratite se na plaćanje i provjerite ishod. Ako ga ne vidite, pitajte prodavca prije nego što ponovo platite.',
    },
    orderUnpaid: {
      money: 'Do sada nije primljena uplata za ovu narudžbu.',
      next: 'Ako ste prije napuštanja stranice pritisnuli „Plati“, vratite se na plaćanje i provjerite ishod prije nego što ponovo platite.',
    },
    unknown: {
      money:
        'Ako ste prije napuštanja stranice pritisnuli „Plati“, nemojte plaćati ponovo dok ne pitate prodavca.',
      next: 'Ako nijeste, možete se vratiti na plaćanje.',
    },
    close: 'Možete zatvoriti ovu stranicu.',
  },

  notices: {
    alreadyPaid: {
      heading: 'Ova narudžba je već plaćena',
      money: 'Ništa dodatno nije naplaćeno.',
      next: 'Vratite se na sajt prodavca. Ako vam je novac vraćen, zatražite novi link od prodavca.',
      nextHere: 'Možete zatvoriti ovu stranicu. Ako vam je novac vraćen, zatražite novi link od prodavca.',
    },
    conflict: {
      heading: 'Podaci o narudžbi se ne poklapaju',
      detail: 'Za istu narudžbu već postoji drugo plaćanje, sa drugim iznosom ili opisom.',
      money: NOT_CHARGED,
      next: 'Prije nego što ponovo platite, pitajte prodavca da li je to plaćanje uspjelo i koji je iznos tačan.',
    },
    linkExpired: {
      heading: 'Link je istekao',
      money: NOT_CHARGED,
      next: 'Zatražite novi link od prodavca. Ako ste ranije pritisnuli „Plati“, prvo pitajte prodavca da li je to plaćanje prošlo.',
    },
    archived: {
      heading: 'Ovaj prodavac ovdje više ne prima uplate',
      money: NOT_CHARGED,
      next: 'Pitajte prodavca kako da platite.',
    },
    invalidLink: {
      heading: 'Link za plaćanje nije ispravan',
      detail: 'Možda nedostaje jedan njegov dio ili je izmijenjen.',
      money: NOT_CHARGED,
      next: 'Otvorite ga ponovo tamo gdje ste ga našli ili zatražite novi link od prodavca.',
    },
    paymentsStopped: {
      heading: 'Plaćanja su privremeno zaustavljena',
      detail: 'Poslije kvara provjeravamo koja su plaćanja izvršena.',
      money: 'Ovog puta plaćanje nije pokrenuto.',
      next: 'Ako ste ranije pritisnuli „Plati“, to plaćanje je možda prošlo: nemojte plaćati na drugi način. Otvorite ovaj link kasnije. Ako tada ne vidite to plaćanje, pitajte prodavca prije nego što ponovo platite.',
    },
    cannotTakePayments: {
      heading: 'Ovaj prodavac još ne može da prima uplate',
      money: NOT_CHARGED,
      next: 'Pitajte prodavca kako da platite.',
    },
    notReady: {
      heading: 'Ovaj prodavac još nije spreman da naplaćuje',
      money: NOT_CHARGED,
      next: 'Podešavanje još traje. Pitajte prodavca kako da platite ili otvorite ovaj link kasnije.',
    },
    busy: {
      heading: 'Trenutno nije moguće platiti',
      money: 'Ovog puta plaćanje nije pokrenuto.',
      next: 'Pokušajte ponovo za koji trenutak. Ako ste ranije pritisnuli „Plati“, to plaćanje je možda prošlo. Ako ga ni poslije novog pokušaja ovdje ne vidite, pitajte prodavca prije nego što ponovo platite.',
    },
    tooMany: {
      heading: 'Trenutno nije moguće platiti',
      money: 'Ovog puta plaćanje nije pokrenuto.',
      next: 'Bilo je previše zahtjeva za kratko vrijeme. Sačekajte minut, pa pokušajte ponovo. Ako ste ranije pritisnuli „Plati“, to plaćanje je možda prošlo. Ako ga ni poslije novog pokušaja ovdje ne vidite, pitajte prodavca prije nego što ponovo platite.',
    },
    pressRefused: {
      heading: 'Trenutno nije moguće platiti',
      money: 'Ovog puta plaćanje nije pokrenuto.',
      next: 'Ako ste „Plati“ pritisnuli i ranije, to plaćanje je možda prošlo. Nemojte plaćati ponovo dok ne provjerite.',
      close:
        'Za koji trenutak ponovo otvorite link za plaćanje u ovom pregledaču. Ako tamo ne vidite to ranije plaćanje, pitajte prodavca prije nego što ponovo platite.',
    },
    pageTooOld: {
      heading: 'Stranica je predugo bila otvorena',
      money: NOT_CHARGED,
      next: 'Provjerite iznos i pritisnite „Plati“.',
    },
    currencyChanged: {
      heading: 'Promijenjen je iznos ili valuta',
      money: NOT_CHARGED,
      next: 'Provjerite iznos i pritisnite „Plati“.',
    },
    openElsewhere: {
      heading: 'Link za plaćanje je otvoren i u drugom prozoru',
      money: NOT_CHARGED,
      next: 'Ako ste u drugom prozoru već pritisnuli „Plati“, prvo tamo provjerite ishod. Ako nijeste, provjerite iznos i pritisnite „Plati“ samo u jednom prozoru.',
    },
    formInvalid: {
      heading: 'Plaćanje nije pokrenuto',
      money: NOT_CHARGED,
      next: 'Provjerite iznos i pritisnite „Plati“.',
    },
    formLost: {
      heading: 'Plaćanje nije pokrenuto',
      money: NOT_CHARGED,
      next: 'Ponovo otvorite link za plaćanje.',
    },
    formFromElsewhere: {
      heading: 'Zahtjev nije stigao sa naše stranice',
      money: NOT_CHARGED,
      next: 'Ponovo otvorite link za plaćanje i tamo pritisnite „Plati“.',
    },
    paymentUnknown: {
      heading: 'Plaćanje nije pronađeno',
      detail: 'Za adresu ove stranice nema zabilježenog plaćanja.',
      money: 'Ako ste platili, nemojte plaćati ponovo: pitajte prodavca.',
      next: 'Ako nijeste, provjerite da li je adresa stranice potpuna.',
    },
    stateUnavailable: {
      heading: 'Plaćanje trenutno ne može da se prikaže',
      money: 'To ne utiče na vaše plaćanje. Nemojte plaćati ponovo.',
      next: 'Provjerite ponovo za koji trenutak.',
    },
    offline: {
      heading: 'Nema internet veze',
      money: 'Bez veze se odavde ne može pokrenuti plaćanje.',
      next: 'Kada se veza vrati, pritisnite dugme. Ako ste ga već pritisnuli, prvo ponovo otvorite ovaj link. Ako ne vidite ishod, pitajte prodavca prije nego što ponovo platite.',
    },
  },

  sandboxBank: {
    heading: 'Testna banka',
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

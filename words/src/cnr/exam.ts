// Why this is long: one list of texts.
import { CALLBACK_TIMEOUT_MS } from '@pazar/contract/limits'
import type { Catalogue } from '../catalogue-type.ts'

const answered = ({ status, duration }: { status: number; duration: string }) =>
  `HTTP ${status} za ${duration}`

/** In the instrumental case. */
const secretOf = (mode: 'live' | 'test') =>
  mode === 'live' ? 'stvarnim tajnim ključem' : 'testnim tajnim ključem'

export const exam: Catalogue['exam'] = {
  scenarios: {
    good: {
      expected: 'Ispravno potpisano obavještenje o uspješnom plaćanju prihvata se odgovorom 2xx.',
      fix: 'Provjerite potpis nad neobrađenim tijelom (raw body), testnim tajnim ključem ovog projekta (sk_test_…), i izuzmite putanju od prijave i od CSRF provjere.',
    },
    repeated: {
      expected: 'Isto obavještenje, poslato još jednom sa istim webhook-id, prihvata se odgovorom 2xx.',
      fix: 'Sačuvajte webhook-id svakog obavještenja koje ste obradili i odgovorite sa 200 kada isti stigne ponovo. Ako se vaš odgovor izgubi na putu, obavještenje šaljemo ponovo.',
    },
    late_fail: {
      expected: 'Neuspjeh koji stigne poslije uspjeha prihvata se odgovorom 2xx, a narudžba ostaje plaćena.',
      fix: 'Ako je narudžba već plaćena, na obavještenje o neuspjehu drugog pokušaja plaćanja odgovorite sa 200 i ništa ne mijenjajte: to može biti zakašnjeli rezultat ranijeg pokušaja plaćanja. Izuzetak je failureCode resolved_unpaid sa transactionId uspješnog plaćanja: tada zaustavite slanje robe.',
    },
    failure: {
      expected: 'Obavještenje o neuspješnom plaćanju prihvata se odgovorom 2xx.',
      fix: 'Odgovorite sa 200 kada zabilježite da plaćanje nije uspjelo. Ako odgovor nije 2xx, obavještenje šaljemo ponovo.',
    },
    unknown_field: {
      expected: 'Obavještenje sa poljima koja vaš server ne poznaje prihvata se odgovorom 2xx.',
      fix: 'Preskočite polja koja ne poznajete: obavještenja u svakom trenutku mogu dobiti nova.',
    },
    large_data: {
      expected:
        'Obavještenje sa najdužim dozvoljenim poljem data, ispisanim različitim pismima, prihvata se odgovorom 2xx.',
      fix: 'Omogućite da putanja za obavještenja prima tijela do 64 KB i čitajte ih kao UTF-8.',
    },
    bad_signature: {
      expected: 'Obavještenje potpisano drugim ključem odbija se odgovorom 4xx.',
      fix: 'Uporedite izračunati potpis sa onim koji je stigao i odgovorite sa 400 ako se razlikuju. Dok to ne uradite, svako može da označi vaše narudžbe kao plaćene.',
    },
    missing_signature: {
      expected: 'Obavještenje bez ikakvog potpisa odbija se odgovorom 4xx.',
      fix: 'Ako potpisa nema, postupite kao da je pogrešan: odgovorite sa 400. Dok to ne uradite, svako može da označi vaše narudžbe kao plaćene.',
    },
    live_label: {
      expected: 'Tijelo u kojem piše mode live, a potpisano je testnim ključem, odbija se odgovorom 4xx.',
      fix: 'Uporedite mode iz tijela sa ključem kojim ste provjerili potpis. Testni ključ se slabije čuva i njime se stvarna narudžba nikad ne smije označiti kao plaćena.',
    },
    changed_amount: {
      expected: 'Obavještenje čiji iznos nije jednak cijeni narudžbe odbija se odgovorom 4xx.',
      fix: 'Uporedite amount sa cijenom te narudžbe u svojoj evidenciji. Ko otvori nepotpisan link za plaćanje, može da mu promijeni iznos.',
    },
    stale_timestamp: {
      expected: 'Obavještenje potpisano prije sat vremena odbija se odgovorom 4xx.',
      fix: 'Odbijte webhook-timestamp koji se od vašeg sata razlikuje za više od 5 minuta. Inače se snimljeno obavještenje može iskoristiti ponovo.',
    },
    refund: {
      expected:
        'Ispravno potpisano obavještenje o povraćaju dijela iznosa prihvata se odgovorom 2xx, a narudžba ostaje plaćena u preostalom iznosu.',
      fix: 'Prvo pročitajte event. Na refund.result odgovorite sa 200 kada zabilježite povraćaj pod njegovim refundId. Iznos je iznos povraćaja, pa ga ne poredite sa cijenom narudžbe, a povraćaj dijela iznosa ne znači da narudžba nije plaćena.',
    },
    refund_first: {
      expected:
        'Povraćaj koji stigne prije rezultata svog plaćanja prihvata se odgovorom 2xx i ne označava narudžbu kao plaćenu.',
      fix: 'Prvo pročitajte event. Samo payment.result u kojem je successful true označava narudžbu kao plaćenu; povraćaj zabilježite i ništa drugo ne mijenjajte. Obavještenja mogu stići bilo kojim redom.',
    },
    forged_refund: {
      expected: 'Povraćaj potpisan drugim ključem odbija se odgovorom 4xx.',
      fix: 'Provjerite potpis prije nego što pročitate event i odgovorite sa 400 ako nije ispravan. Inače svako može da vas uvjeri da je novac vraćen.',
    },
    dispute_opened: {
      expected: 'Ispravno potpisano obavještenje o sporu prihvata se odgovorom 2xx.',
      fix: 'Prvo pročitajte event. Na dispute.opened odgovorite sa 200 kada zabilježite spor pod njegovim disputeId. Ovo obavještenje nema ni polje status ni polje successful i nije plaćanje.',
    },
    forged_dispute: {
      expected: 'Spor potpisan drugim ključem odbija se odgovorom 4xx.',
      fix: 'Provjerite potpis prije nego što pročitate event i odgovorite sa 400 ako nije ispravan. Inače svako može da vas navede da zaustavite narudžbu.',
    },
    dispute_closed: {
      expected: 'Ispravno potpisano obavještenje o kraju spora prihvata se odgovorom 2xx.',
      fix: 'Prvo pročitajte event. Na dispute.closed odgovorite sa 200 kada zabilježite kako je spor završen: disputeStatus je won ili lost.',
    },
    in_time: {
      expected: `Svaki odgovor stiže u roku od ${CALLBACK_TIMEOUT_MS / 1000} sekundi.`,
      fix: 'Sačuvajte rezultat i odmah odgovorite sa 200; ono što traje duže, kao što su slanje e-pošte i ažuriranje zaliha, obavite poslije.',
    },
  },
  got: {
    status: answered,
    stillPaid: (facts) => `${answered(facts)}, a vaš server kaže da je narudžba i dalje plaćena.`,
    undone: (facts) => `${answered(facts)}, a vaš server kaže da narudžba više nije plaćena.`,
    unseen: ({ order, ...facts }) =>
      `${answered(facts)}. Da li je narudžba ${order ?? 'iz prvog obavještenja'} i dalje plaćena, zna samo vaš server.`,
    notPaid: (facts) => `${answered(facts)}, a vaš server kaže da narudžba nije plaćena.`,
    takenForPayment: (facts) =>
      `${answered(facts)}, a vaš server kaže da je narudžba plaćena, iako za nju nije stiglo obavještenje o plaćanju.`,
    unseenUnpaid: (facts) =>
      `${answered(facts)}. Da li je narudžba time označena kao plaćena, zna samo vaš server.`,
    alsoRefused: (facts) =>
      `${answered(facts)}, ali ni ispravno obavještenje nije prihvaćeno, pa ovo ništa ne pokazuje.`,
    slowest: ({ duration }) => `Najsporiji odgovor je trajao ${duration}.`,
    late: ({ titles }) => `Odgovor nije stigao na vrijeme za: ${titles}.`,
    notReached: 'Nije poslato, jer prvi zahtjev nije stigao.',
    notSent: 'Nije poslato: ranijih odgovora nije bilo ili su predugo trajali.',
  },
  fixes: {
    goodFirst: 'Prvo obezbijedite da vaš server prihvati ispravno obavještenje, pa ponovo pokrenite ispit.',
    unknownOrder:
      'Ili na ovoj putanji nema ničega, ili vaš server ne poznaje narudžbu iz ispita. U testnom režimu narudžbu čiji customId počinje sa exam- tretirajte kao narudžbu sa iznosom (amount) 1500.',
    crashed: ({ fix }) =>
      `Pri ovom zahtjevu došlo je do greške na vašem serveru: prvo pogledajte njegov dnevnik grešaka, tamo piše zašto. Zatim: ${fix}`,
    broke:
      'Lažno obavještenje odbijte odgovorom 400, a ne greškom servera; gdje je greška, piše u dnevniku grešaka vašeg servera. Kod koji se ruši može stati i usred upisa narudžbe.',
    undone: 'Kada je narudžba plaćena, neuspjeh drugog pokušaja plaćanja ne smije to da promijeni.',
  },
  events: {
    'payment.result': 'Tijelo je payment.result: rezultat plaćanja.',
    'refund.result':
      'Tijelo je refund.result: rezultat povraćaja, a ne plaćanje. Nema polje status, a iznos je iznos povraćaja.',
    'dispute.opened':
      'Tijelo je dispute.opened: kupac osporava plaćanje, ili se banka kupca raspituje o tom plaćanju. Nema polje status i nije plaćanje.',
    'dispute.closed':
      'Tijelo je dispute.closed: spor je završen, a ishod je u polju disputeStatus. To nije plaćanje.',
  },
  problems: {
    missing_header: ({ header }) => ({
      text: `Nedostaje zaglavlje ${header}.`,
      fix: 'Proslijedite webhook-id, webhook-timestamp i webhook-signature. U nazivima zaglavlja ne razlikuju se velika i mala slova.',
    }),
    repeated_header: ({ header }) => ({
      text: `Zaglavlje ${header} je navedeno više puta.`,
      fix: 'Nešto između nas i vašeg koda dodaje svoje zaglavlje. Zadržite samo naše.',
    }),
    id_unreadable: {
      text: 'webhook-id sadrži znakove koje nema nijedan naš ID.',
      fix: 'Uzmite zaglavlje onako kako je stiglo, bez navodnika i razmaka.',
    },
    id_changed: {
      text: 'Potpis pripada drugom webhook-id, a ne onom iz zaglavlja.',
      fix: 'Uzmite zaglavlja i tijelo iz istog zahtjeva.',
    },
    timestamp_milliseconds: {
      text: 'webhook-timestamp je u milisekundama.',
      fix: 'Upotrijebite tekst zaglavlja onako kako je stigao: cijele sekunde.',
    },
    timestamp_unreadable: {
      text: 'webhook-timestamp nije cio broj sekundi.',
      fix: 'Upotrijebite tekst zaglavlja onako kako je stigao, i kada računate potpis.',
    },
    timestamp_changed: {
      text: 'Potpis pripada drugom webhook-timestamp, a ne onom iz zaglavlja.',
      fix: 'Uzmite zaglavlja i tijelo iz istog zahtjeva.',
    },
    timestamp_stale: ({ age }) => ({
      text: `Potpisano je prije ${age}, a server treba da prihvata zahtjeve stare najviše 5 minuta.`,
      fix: 'Zahtjev koji provjeravate više od 5 minuta nakon slanja uvijek je prestar. Ako su odbijeni i novi, podesite sat servera preko NTP-a.',
    }),
    timestamp_early: ({ age }) => ({
      text: `Vrijeme u zahtjevu je ${age} ispred našeg sata.`,
      fix: 'Ako ste zahtjev napravili sami, podesite sat tog računara preko NTP-a. Mi nikad ne potpisujemo unaprijed.',
    }),
    signature_no_version: {
      text: 'Ispred potpisa nedostaje „v1,“.',
      fix: 'Ispred base64 teksta napišite „v1,“. Kada provjeravate, poredite samo ono što slijedi.',
    },
    signature_base64url: {
      text: 'Potpis je napisan kao base64url.',
      fix: 'Upotrijebite običan base64: sa + i /, i sa = na kraju.',
    },
    signature_hex: {
      text: 'Potpis je napisan heksadecimalno.',
      fix: 'Zapišite 32 bajta HMAC-a kao base64.',
    },
    signature_base64_of_hex: {
      text: 'Potpis je base64 heksadecimalnog teksta.',
      fix: 'Od HMAC funkcije tražite neobrađene bajtove i njih zapišite (u PHP-u: hash_hmac sa true kao četvrtim argumentom).',
    },
    signature_not_canonical: {
      text: 'Base64 tekst potpisa je izmijenjen: nedostaje mu kraj ili sadrži druge znakove.',
      fix: 'Uzmite zaglavlje onako kako je stiglo: 44 znaka poslije „v1,“, a posljednji je =.',
    },
    signature_unreadable: {
      text: 'U zaglavlju webhook-signature nema potpisa.',
      fix: 'Uzmite zaglavlje onako kako je stiglo: „v1,“ i 44 znaka base64 teksta.',
    },
    signature_of_another: {
      text: 'Ključ je ispravan, ali potpis u zaglavlju pripada drugom zahtjevu.',
      fix: 'Uzmite zaglavlja i tijelo iz istog zahtjeva. Svaki pokušaj se potpisuje iznova.',
    },
    wrong_mode: ({ signedWith }) => ({
      text: `Potpisano je ${secretOf(signedWith)}, a izabran je drugi režim.`,
      fix: 'Svako obavještenje provjerite ključem režima koji piše u njegovom tijelu.',
    }),
    wrong_secret: {
      text: 'Nije potpisano nijednim od sadašnjih tajnih ključeva ovog projekta.',
      fix: 'Uporedite ključ na svom serveru sa onim na stranici Ključevi: možda je star ili pripada drugom projektu. Ako je ključ isti, tijelo je izmijenjeno na putu.',
    },
    secret_without_prefix: {
      text: 'Potpisano je tajnim ključem bez njegovog početka.',
      fix: 'Ključ je cijeli tekst, zajedno sa sk_live_ ili sk_test_. Ništa u njemu ne treba dekodirati.',
    },
    body_empty: {
      text: 'Tijelo je prazno.',
      fix: 'Sačuvajte neobrađeno tijelo (raw body) prije nego što ga pročita neki drugi dio vašeg frameworka.',
    },
    body_line_break: {
      text: 'Tijelo se završava prelomom reda koji nijesmo poslali.',
      fix: 'Izostavite sve poslije posljednje zagrade; većina editora i terminala dodaje prelom reda.',
    },
    body_encoding: {
      text: 'Tijelo nije u kodiranju znakova u kojem smo ga poslali (UTF-8 bez BOM oznake).',
      fix: 'Provjerite neobrađene bajtove onako kako su stigli. Ako vam treba tekst, čitajte ih kao UTF-8, a datoteke čuvajte bez BOM oznake.',
    },
    body_rewritten: {
      text: 'Sadržaj tijela je isti, ali bajtovi nijesu: JSON je pročitan i ponovo zapisan.',
      fix: 'Provjerite neobrađene bajtove onako kako su stigli, prije nego što ih obradi vaš framework.',
    },
    body_changed: ({ fields }) => ({
      text: `Tijelo je izmijenjeno poslije potpisivanja: ${fields}.`,
      fix: 'Provjerite neobrađene bajtove onako kako su stigli. Ako ništa nijeste mijenjali, izmijenio ih je neko na putu: ne vjerujte zahtjevu.',
    }),
    body_not_json: {
      text: 'Tijelo nije JSON.',
      fix: 'Nalijepite cijelo tijelo, od prve do posljednje zagrade, bez onoga što dodaje vaš dnevnik.',
    },
    not_a_callback: {
      text: 'Potpis je ispravan, ali tijelo nije obavještenje.',
      fix: 'Obavještenja imaju polje event: payment.result, refund.result, dispute.opened ili dispute.closed. Ako ste ovo potpisali sami, uporedite ga sa testnim obavještenjem.',
    },
    event_unknown: ({ event }) => ({
      text: `Potpis je ispravan, ali događaj „${event}“ nije naš.`,
      fix: 'Šaljemo payment.result, refund.result, dispute.opened i dispute.closed. Na događaj koji ne poznajete odgovorite sa 200 i ništa ne radite.',
    }),
    event_fields: ({ event, fields }) => ({
      text: `Potpis je ispravan, ali ova polja događaja ${event} nedostaju, nijesu ispravna ili mu ne pripadaju: ${fields}.`,
      fix: 'Polja status i successful ima samo payment.result. Ako ste ovo potpisali sami, uporedite ga sa testnim obavještenjem o istom događaju.',
    }),
    wrong_label: ({ signedWith }) => ({
      text: `Potpisano je ${secretOf(signedWith)}, a u tijelu piše drugi režim.`,
      fix: 'Mi ovo nikad ne šaljemo. Vaš server mora da ga odbije.',
    }),
    wrong_project: {
      text: 'Tijelo pripada drugom projektu.',
      fix: 'Uporedite polje projectId i ID ovog projekta.',
    },
    hash_missing: {
      text: 'U tijelu nema polja hash.',
      fix: 'Nalijepite tijelo onako kako je stiglo, pa provjerite ponovo. Svako obavještenje šaljemo sa poljem hash.',
    },
    hash_changed: {
      text: 'Polje hash u tijelu nije napravljeno ovim ključem.',
      fix: 'Polje hash i potpis pravimo istim ključem. Ako potpisujete sami, radite i vi tako.',
    },
    hash_of_another_body: {
      text: 'Polje hash pripada drugom tijelu.',
      fix: 'Polje hash je JWT u kojem su sva ostala polja tijela. Ako potpisujete sami, napravite ga iznova za svako tijelo.',
    },
  },
}

import type { Catalogue } from '../../catalogue-type.ts'
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const dispute: Catalogue['portal']['payments']['dispute'] = {
  respondBy: 'Rok banke',
  states: {
    inquiry: 'Upit',
    open: 'Otvoren',
    won: 'Dobijen',
    lost: 'Izgubljen',
  },
  titles: {
    open: (amount) => `Kupac osporava ${amount}`,
    inquiry: (amount) => `Banka kupca se raspituje o iznosu od ${amount}`,
    lost: (amount) => `Spor oko iznosa od ${amount} je izgubljen`,
  },
  texts: {
    open: 'Dok banka ne odluči, iznos je povučen i ne možete ga vratiti kupcu. Nemojte ga vraćati ni sami, na primjer uplatom na račun kupca.',
    inquiry:
      'Novac za sada nije povučen. Vlasnik, administratori i članovi sa ulogom Finansije mogu ga ovdje vratiti kupcu.',
    lost: 'Banka je odlučila u korist kupca i novac mu je vraćen. Nemojte ga vraćati i vi.',
  },
  reason: 'Razlog',
  reasons: {
    fraudulent: 'Kupac tvrdi da nije izvršio ovo plaćanje.',
    unrecognized: 'Kupac ne prepoznaje ovo plaćanje.',
    duplicate: 'Kupac tvrdi da mu je naplaćeno dvaput.',
    product_not_received: 'Kupac tvrdi da mu ništa nije isporučeno.',
    product_unacceptable: 'Kupac tvrdi da je ono što je dobio oštećeno ili ne odgovara opisu.',
    subscription_canceled: 'Kupac tvrdi da je otkazao pretplatu ili narudžbu.',
    credit_not_processed: 'Kupac tvrdi da obećani povraćaj nije stigao.',
    other: 'Banka je navela drugi razlog',
  },
  left: (days) =>
    days === 0
      ? 'preostalo je manje od jednog dana'
      : `${plural('cnr', days, { one: 'preostao je', few: 'preostala su', other: 'preostalo je' })} ${formatNumber('cnr', days)} ${plural('cnr', days, { one: 'dan', few: 'dana', other: 'dana' })}`,
  passed: 'rok je prošao',
  evidence: 'Šta treba da uradite',
  evidenceText: {
    open: 'Što prije pošaljite dokaze operateru ovog servisa: narudžbu, potvrdu isporuke i prepisku sa kupcem. Bez odgovora se spor obično gubi.',
    inquiry:
      'Što prije pošaljite dokaze operateru ovog servisa: narudžbu, potvrdu isporuke i prepisku sa kupcem. Bez odgovora upit može postati spor.',
    test: 'Ovo je testno plaćanje, bez stvarnog novca, i ništa ne treba slati.',
  },
  send: 'Piši operateru',
  subject: (reference) => `Spor oko plaćanja ${reference}`,
  more: 'Više o sporovima',
  docsPath: 'refunds#sporovi',
  needEvidence: {
    disputes: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'spor čeka', few: 'spora čekaju', other: 'sporova čeka' })} vaše dokaze`,
    inquiries: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'upit čeka', few: 'upita čekaju', other: 'upita čeka' })} vaše dokaze`,
    both: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'spor ili upit čeka', few: 'spora ili upita čekaju', other: 'sporova ili upita čeka' })} vaše dokaze`,
  },
  tests: {
    disputes: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'testni spor', few: 'testna spora', other: 'testnih sporova' })}`,
    inquiries: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'testni upit', few: 'testna upita', other: 'testnih upita' })}`,
    both: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'testni spor ili upit', few: 'testna spora ili upita', other: 'testnih sporova ili upita' })}`,
  },
  disputedAmount: (amount) => `Spor oko iznosa od ${amount}`,
  inquiryAmount: (amount) => `Upit o iznosu od ${amount}`,
  showAll: 'Osporena plaćanja',
}

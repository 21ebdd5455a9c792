import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../en.ts'

export const deliveries: Catalogue['portal']['deliveries'] = {
  title: 'Dnevnik isporuka',
  test: 'Pošalji testno obavještenje',
  testing: 'Slanje…',
  testDone: 'Testno obavještenje je poslato',
  answered: (code, duration) => `Vaš server je odgovorio ${code} za ${duration}.`,
  columns: {
    time: 'Vrijeme',
    result: 'Ishod',
    answer: 'Odgovor',
    attempt: 'Pokušaj',
    duration: 'Trajanje',
    order: 'Narudžba',
    target: 'Odredište',
  },
  results: { success: 'uspjeh', fail: 'neuspjeh' },
  statuses: {
    pending: 'Na čekanju',
    sending: 'Šalje se',
    delivered: 'Isporučeno',
    exhausted: 'Nije isporučeno',
    cancelled: 'Otkazano',
  },
  filters: { status: 'Status isporuke', any: 'Sve isporuke' },
  emptyTitle: 'Još nema isporuka',
  emptyText: 'Pošaljite testno obavještenje i pogledajte šta vaš server odgovara.',
  noneTitle: 'Nema rezultata',
  noneText: 'Nijedna isporuka ne odgovara ovim filterima.',
  more: 'Prikaži starije',
  failing: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'obavještenje nije isporučeno', few: 'obavještenja nijesu isporučena', other: 'obavještenja nije isporučeno' })}`,
  failingCause: (cause) => `Isti uzrok: ${cause}`,
  resend: 'Pošalji ponovo',
  resendAgain: 'Pošalji još jednom',
  resendFailed: 'Pošalji ponovo sva neuspješna',
  showFailed: 'Prikaži samo njih',
  resent: 'Ponovo je na putu.',
  resentMany: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'obavještenje je', few: 'obavještenja su', other: 'obavještenja je' })} ponovo na putu.`,
  againTitle: 'Već isporučeno',
  againText:
    'Vaš server je prihvatio ovo obavještenje. Ponovo poslato nosi isti ID, pa ga pažljiva prodavnica zanemaruje.',
  noRetry: 'Nema automatskog ponavljanja',
  nextAt: (time) => `Sljedeći pokušaj ${time}`,
  drawer: {
    title: 'Isporuka',
    request: 'Zahtjev',
    response: 'Odgovor',
    attempts: 'Pokušaji',
    cause: 'Uzrok',
    fix: 'Šta uraditi',
    body: 'Tijelo',
    masked: 'Polje hash je ovdje sakriveno.',
    verify: 'Provjerite ovo na svom serveru',
    verifyText:
      'Potpis je u zaglavlju webhook-signature i pokriva tijelo zahtjeva bajt po bajt. Cijenu uzmite iz svoje evidencije.',
    empty: 'Prazan odgovor',
    attempt: (n) => `${formatNumber('cnr', n)}. pokušaj`,
    triggers: { auto: 'automatski', manual: 'ručno', test: 'testno' },
    transaction: 'Prikaži transakciju',
  },
  live: 'Uživo',
}

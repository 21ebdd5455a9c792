import { formatNumber, formatPercent } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../catalogue-type.ts'

const days = (n: number) =>
  `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'dan', few: 'dana', other: 'dana' })}`
const last = (n: number) => plural('cnr', n, { one: 'Posljednji', few: 'Posljednja', other: 'Posljednjih' })

export const metrics: Catalogue['portal']['metrics'] = {
  title: 'Pokazatelji',
  range: {
    label: 'Period',
    last: (n) => days(n),
    other: 'Drugi period',
    from: 'Od',
    to: 'Do',
    show: 'Prikaži',
    wrong: (max) => `Izaberite prvi i posljednji dan, ukupno najviše ${days(max)}.`,
  },
  volume: 'Promet',
  paid: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'uspješno plaćanje', few: 'uspješna plaćanja', other: 'uspješnih plaćanja' })}`,
  refunded: 'Vraćeno',
  refunds: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'povraćaj', few: 'povraćaja', other: 'povraćaja' })}`,
  noRefunds: 'Nema povraćaja',
  disputed: 'Osporeno',
  disputes: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'spor', few: 'spora', other: 'sporova' })}`,
  noDisputes: 'Nema sporova',
  net: 'Ostaje',
  netText: 'Poslije povraćaja i sporova, prije provizija',
  showRefunded: 'Prikaži vraćena plaćanja',
  showDisputed: 'Prikaži osporena plaćanja',
  rate: 'Stopa uspješnosti',
  ofEnded: (n, ended) =>
    `Uspješno: ${formatNumber('cnr', n)} od ${formatNumber('cnr', ended)} ${plural('cnr', ended, { one: 'završenog', few: 'završena', other: 'završenih' })}`,
  noneEnded: 'Nema završenih plaćanja u ovom periodu',
  responseTime: 'Vrijeme odgovora',
  within: (duration) => `Vaš server, medijana; p95 ${duration}`,
  noResponses: 'Nema prihvaćenih obavještenja u ovom periodu',
  inInbox: 'Mjeri se kada obavještenja idu na URL vašeg servera',
  failed: 'Neuspješno ili isteklo',
  inReview: (n) => `Na provjeri, nije uračunato: ${formatNumber('cnr', n)}`,
  reviewText: 'Operater još nije završio provjeru. Otvorite plaćanje da vidite šta treba da uradite.',
  noneFailed: 'Nema neuspješnih',
  charts: {
    volume: 'Promet',
    net: 'Ostaje',
    takenBack: 'Vraćeno ili osporeno',
    netOf: (volume, takenBack, net) => `${volume}, vraćeno ili osporeno ${takenBack}, ostaje ${net}`,
    rate: 'Stopa uspješnosti',
    responseTime: 'Vrijeme odgovora vašeg servera (medijana)',
    within: (duration) => `p95: ${duration}`,
    median: 'Medijana',
    succeeded: 'Uspješno',
    totals: {
      live: (value) => `Ukupno u stvarnom režimu: ${value}`,
      test: (value) => `Ukupno u testnom režimu: ${value}`,
    },
    empty: 'Nema podataka za ovaj period',
    hint: 'Strelicama prelazite sa stubića na stubić, a Enter prikazuje plaćanja tog dana.',
    bar: (when, value) => `${when}: ${value}`,
    rateOf: (rate, failed) => `${formatPercent('cnr', rate)}, neuspješno ${formatNumber('cnr', failed)}`,
    nothing: 'ništa',
  },
  table: {
    show: 'Prikaži kao tabelu',
    amounts: 'Iznosi',
    counts: 'Plaćanja i obavještenja',
    day: 'Dan',
    hour: 'Sat',
    count: 'Započeto',
    succeeded: 'Uspješno',
  },
}

export const failures: Catalogue['portal']['failures'] = {
  open: {
    title: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'obavještenje još nije isporučeno', few: 'obavještenja još nijesu isporučena', other: 'obavještenja još nije isporučeno' })}`,
    titleOver: (n) => `Više od ${formatNumber('cnr', n)} obavještenja još nije isporučeno`,
  },
  givenUp: {
    title: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'obavještenje nije isporučeno', few: 'obavještenja nijesu isporučena', other: 'obavještenja nije isporučeno' })}`,
    titleOver: (n) => `Više od ${formatNumber('cnr', n)} obavještenja nije isporučeno`,
  },
  since: (n) => `${last(n)} ${days(n)}`,
  older: 'Starija obavještenja sa spiska ovdje nijesu uračunata.',
  showCauses: 'Prikaži uzroke',
  show: 'Prikaži u dnevniku',
  showCause: (cause) => `Prikaži u dnevniku: ${cause}`,
}

// Why this is long: one list of mails.
import { formatNumber } from '../format.ts'
import { plural } from '../plural.ts'
import { CHANGE_PASSWORD, factorMails, NOT_YOU, SECURE_ACCOUNT, toSecureSteps } from './factor-mails.ts'
import { deliveryMails } from './delivery-mails.ts'
import { disputeMails, WHY_OPERATOR } from './dispute-mails.ts'
import { memberMails } from './member-mails.ts'
import { receiptMail } from './receipt-mail.ts'
import type { Catalogue } from '../catalogue-type.ts'
import type {
  ActionFacts,
  MailText,
  ProjectActionFacts,
  TokenRefundFacts,
  UrlChange,
  UrlChangeFacts,
  UrlField,
} from '../mail-facts.ts'
import { isOneUrlChanged } from '../mail-facts.ts'

const validFor = (hours: number) => {
  const word = plural('cnr', hours, { one: 'sat', few: 'sata', other: 'sati' })
  return `Link važi ${hours} ${word} i može se upotrijebiti samo jednom.`
}

const whereAndWhen = ({ when, ip, browser }: ActionFacts) => [
  `Vrijeme: ${when}`,
  `IP adresa: ${ip}`,
  `Pregledač: ${browser}`,
]

const projectDetails = (facts: ProjectActionFacts) => [
  `Projekat: ${facts.project}`,
  ...(facts.by === undefined ? [] : [`Sa naloga: ${facts.by}`]),
  ...whereAndWhen(facts),
]

const toTestMark = ({ mode }: TokenRefundFacts) => (mode === 'test' ? 'Test: ' : '')

const PAYMENT_OF = {
  live: { one: 'stvarno plaćanje', many: 'stvarna plaćanja' },
  test: { one: 'testno plaćanje', many: 'testna plaćanja' },
}

const ASK_PERSON = 'Ako ovo nijeste očekivali, pitajte osobu čiji je nalog naveden iznad.'

/** `own`: the advice if the action may come from the reader's account. `others`: the advice if another person acted. */
const toAdvice = ({ by }: ProjectActionFacts, { own, others }: { own: string; others: string }) =>
  by === undefined ? `${SECURE_ACCOUNT}${own}` : `${ASK_PERSON} ${others}`

const URL_NAMES: Record<UrlField, string> = {
  resultUrl: 'URL za povratak',
  apiUrl: 'URL za obavještenja',
  testApiUrl: 'URL za testna obavještenja',
}

const changedUrls = (fields: readonly UrlField[]) =>
  fields.length === 0
    ? 'Promijenjen je URL za povratak ili URL za obavještenja.'
    : `Promijenjeno: ${fields.map((field) => URL_NAMES[field]).join(', ')}.`

const toChangedUrl = ({ field, from, to }: UrlChange) => {
  const name = `${URL_NAMES[field][0]?.toUpperCase()}${URL_NAMES[field].slice(1)}`
  if (from === to) return `${name}\n${to} (promijenjen je samo dio koji ovdje ne prikazujemo)`
  return `${name}\nStari: ${from ?? 'nije postavljen'}\nNovi: ${to ?? 'nije postavljen'}`
}

const toUrlTitle = (facts: UrlChangeFacts) =>
  isOneUrlChanged(facts)
    ? `Promijenjena je jedna adresa projekta ${facts.project}`
    : `Promijenjene su adrese projekta ${facts.project}`

const oldUrls = (facts: UrlChangeFacts) => (isOneUrlChanged(facts) ? 'staru adresu' : 'stare adrese')

const EVENT_NAMES: Record<string, string> = { payment: 'plaćanja', refund: 'povraćaji', dispute: 'sporovi' }

const toEvents = (events: readonly string[]) => {
  const names = [...new Set(events.map((event) => EVENT_NAMES[event.split('.')[0] ?? ''] ?? event))]
  return `${names.join(', ')} (${events.join(', ')})`
}

const SIGNED_LINKS = {
  on: 'Nepotpisani linkovi za plaćanje više ne rade.',
  off: 'Nepotpisani linkovi za plaćanje sada rade. Iznos u takvom linku može promijeniti bilo ko.',
}

const liveSecretRotated = (facts: ProjectActionFacts): MailText => ({
  subject: `Zamijenjen je stvarni tajni ključ projekta ${facts.project}`,
  heading: `Zamijenjen je stvarni tajni ključ projekta ${facts.project}`,
  paragraphs: [
    'Stari ključ je odmah prestao da radi. Ako novi još nije na vašem serveru, unesite ga odmah.',
    'Linkovi i QR kodovi potpisani starim ključem više ne važe.',
  ],
  details: projectDetails(facts),
  action: 'Otvori stranicu Ključevi',
  advice: toAdvice(facts, {
    own: ' Zatim ponovo zamijenite ključ.',
    others:
      'Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim ponovo zamijenite ključ.',
  }),
})

const testSecretRotated = (facts: ProjectActionFacts): MailText => ({
  subject: `Zamijenjen je testni tajni ključ projekta ${facts.project}`,
  heading: `Zamijenjen je testni tajni ključ projekta ${facts.project}`,
  paragraphs: ['Stari testni ključ je odmah prestao da radi. To ne utiče na stvarni režim.'],
  details: projectDetails(facts),
  action: 'Otvori stranicu Ključevi',
  advice: toAdvice(facts, {
    own: ' Zatim ponovo zamijenite testni ključ.',
    others:
      'Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim ponovo zamijenite testni ključ.',
  }),
})

export const mailFrame: Catalogue['mailFrame'] = {
  greeting: 'Dobar dan,',
  closing: 'Srdačan pozdrav,',
  onBehalf: (operator, merchant) => `${operator}, u ime prodavca: ${merchant}`,
  linkInstead: 'Ako dugme ne radi, otvorite ovu adresu u pregledaču:',
  why: 'Ovu poruku šaljemo automatski, radi bezbjednosti vašeg naloga.',
  links: { securityPage: 'stranici Bezbjednost', changePassword: 'Promijenite lozinku' },
}

export const mail: Catalogue['mail'] = {
  confirm_email: ({ hours }) => ({
    subject: 'Potvrdite adresu e-pošte',
    heading: 'Potvrdite adresu e-pošte',
    paragraphs: [
      'Potvrdite da je ova adresa vaša. Na nju šaljemo poruke o vašim plaćanjima i bezbjednosti vašeg naloga.',
      validFor(hours),
    ],
    action: 'Potvrdi adresu',
    advice: 'Ako se nijeste registrovali, zanemarite ovu poruku.',
  }),

  reset_password: ({ hours, isInvitation }) =>
    isInvitation
      ? {
          subject: 'Vaš nalog je otvoren',
          heading: 'Dobro došli: postavite lozinku',
          paragraphs: [
            'Otvorili smo nalog za ovu adresu e-pošte. Da biste se prvi put prijavili, postavite lozinku.',
            `${validFor(hours)} Ako je istekao, izaberite „Zaboravili ste lozinku?“ na stranici za prijavu.`,
          ],
          action: 'Postavi lozinku',
          advice: 'Ako nijeste očekivali nalog, zanemarite ovu poruku.',
        }
      : {
          subject: 'Postavite novu lozinku',
          heading: 'Postavite novu lozinku',
          paragraphs: ['Primili smo zahtjev za novu lozinku za vaš nalog.', validFor(hours)],
          action: 'Postavi lozinku',
          advice: 'Ako to nijeste bili vi, zanemarite ovu poruku. Lozinka ostaje ista.',
        },

  ...receiptMail,

  confirm_new_email: ({ hours }) => ({
    subject: 'Potvrdite novu adresu e-pošte',
    heading: 'Potvrdite novu adresu e-pošte',
    paragraphs: ['Neko je upisao ovu adresu kao novu adresu e-pošte svog naloga.', validFor(hours)],
    action: 'Potvrdi adresu',
    advice: 'Ako to nijeste bili vi, zanemarite ovu poruku. Ništa se neće promijeniti.',
  }),

  email_change_notice: (facts) => ({
    subject: 'Zatražena je promjena adrese e-pošte',
    heading: 'Zatražena je promjena adrese e-pošte',
    paragraphs: [
      'Za vaš nalog je upisana nova adresa e-pošte. Promjena važi tek kada nova adresa bude potvrđena.',
    ],
    details: [...(facts.newEmail ? [`Nova adresa: ${facts.newEmail}`] : []), ...whereAndWhen(facts)],
    action: CHANGE_PASSWORD,
    advice: NOT_YOU,
    steps: toSecureSteps(', a zatražena promjena se poništava'),
  }),

  password_changed: (facts) => ({
    subject: 'Lozinka je promijenjena',
    heading: 'Lozinka je promijenjena',
    paragraphs: ['Lozinka vašeg naloga je promijenjena.'],
    details: whereAndWhen(facts),
    action: 'Zatraži novu lozinku',
    advice: 'Ako to nijeste bili vi, odmah zatražite novu lozinku i obratite se operateru ovog servisa:',
  }),

  new_device: (facts) => ({
    subject: 'Prijava sa novog uređaja',
    heading: 'Prijava sa novog uređaja',
    paragraphs: ['Neko se prijavio na vaš nalog sa uređaja koji nam do sada nije bio poznat.'],
    details: whereAndWhen(facts),
    action: CHANGE_PASSWORD,
    advice: NOT_YOU,
    steps: toSecureSteps(),
  }),

  secret_revealed: (facts) => ({
    subject: `Prikazan je stvarni tajni ključ projekta ${facts.project}`,
    heading: `Prikazan je stvarni tajni ključ projekta ${facts.project}`,
    paragraphs: ['Stvarni tajni ključ je prikazan.'],
    details: projectDetails(facts),
    action: 'Otvori stranicu Ključevi',
    advice: toAdvice(facts, {
      own: ' Zatim zamijenite ključ.',
      others: 'Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim zamijenite ključ.',
    }),
  }),

  secret_prepared: (facts) => ({
    subject: `Pripremljen je sljedeći stvarni tajni ključ projekta ${facts.project}`,
    heading: `Pripremljen je sljedeći stvarni tajni ključ projekta ${facts.project}`,
    paragraphs: [
      'Za sljedeću zamjenu ključa vašeg projekta pripremljen je stvarni tajni ključ i prikazan na portalu. Dok se zamjena ne izvrši, on ne važi.',
    ],
    details: projectDetails(facts),
    action: 'Otvori stranicu Ključevi',
    advice: toAdvice(facts, {
      own: ' Zatim na stranici Ključevi odbacite pripremljeni ključ.',
      others:
        'Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim na stranici Ključevi odbacite pripremljeni ključ.',
    }),
  }),

  refund_token_used: (facts) => ({
    subject: `${toTestMark(facts)}API token je zatražio povraćaj${facts.amount ? ` od ${facts.amount}` : ''}: ${facts.project}`,
    heading: `${toTestMark(facts)}API token je zatražio povraćaj`,
    ...(facts.amount ? { hero: facts.amount } : {}),
    paragraphs: [
      `API token „${facts.token}“ je zatražio povraćaj${facts.amount ? ` od ${facts.amount}` : ''}. To je njegov prvi današnji povraćaj${facts.mode ? ` za ${PAYMENT_OF[facts.mode].one}` : ''} (dan se računa po UTC).`,
      ...(facts.mode === 'test' ? ['Ovo je testno plaćanje, bez stvarnog novca.'] : []),
    ],
    details: [
      ...(facts.amount ? [`Iznos: ${facts.amount}`] : []),
      ...(facts.order ? [`Broj narudžbe: ${facts.order}`] : []),
      ...(facts.reference ? [`Referenca plaćanja: ${facts.reference}`] : []),
      ...(facts.dailyCap ? [`Dnevno ograničenje: ${facts.dailyCap}`] : []),
      ...(facts.mode === 'test' ? ['Testno plaćanje: bez stvarnog novca'] : []),
      ...projectDetails(facts),
    ],
    action: 'Otvori plaćanje',
    advice: 'Ako ovo nijeste očekivali, odmah opozovite token na stranici Nalog, API tokeni.',
    why: `O svakom API tokenu koji vraća novac${facts.mode ? ` za ${PAYMENT_OF[facts.mode].many}` : ''} pišemo najviše jednom dnevno.`,
  }),

  ...disputeMails,
  ...memberMails,

  ...factorMails,

  project_deleted: (facts) => ({
    subject: `Projekat ${facts.project} je obrisan`,
    heading: `Projekat ${facts.project} je obrisan`,
    paragraphs: [
      'Obrisani su projekat i sve što je u njemu urađeno u testnom režimu. Projekat nikada nije imao stvarna plaćanja.',
    ],
    details: projectDetails(facts),
    advice: toAdvice(facts, {
      own: '',
      others: 'Brisanje se ne može poništiti.',
    }),
  }),

  restored: ({ when }) => ({
    subject: 'Provjerite svoj nalog poslije kvara',
    heading: 'Provjerite svoj nalog',
    paragraphs: [
      'Poslije kvara su u našoj bazi možda izgubljene posljednje izmjene. Moguće je da nedostaje ono što ste neposredno prije toga promijenili, a da ono što ste opozvali ili zamijenili ponovo važi.',
      'Radi vaše bezbjednosti svi su odjavljeni, a API tokeni više ne rade: kreirajte nove. Ne važe više ni linkovi za novu lozinku ili novu adresu koje smo poslali e-poštom. Plaćanja koja nedostaju biće dodata iz evidencije banke. Dok se to ne završi, nova plaćanja, povraćaji i obavještenja su zaustavljeni.',
      'Prijavite se, pa za svaki projekat u kojem ste vlasnik ili administrator uradite sljedeće:',
    ],
    points: [
      'Provjerite njegov URL za povratak i URL-ove za obavještenja.',
      'Na stranici Članovi provjerite da li pristup imaju samo osobe koje treba da ga imaju. Osoba koju ste nedavno uklonili možda ga opet ima.',
      'Ako ste nedavno zamijenili njegov stvarni tajni ključ, zamijenite ga ponovo.',
      'Ako ste pripremili njegov sljedeći stvarni tajni ključ, pripremite ga ponovo: svi pripremljeni ključevi su odbačeni.',
      'Ponovo pozovite osobe koje mu se još nijesu pridružile: svi otvoreni pozivi su povučeni.',
      'Ako ste ga ponudili novom vlasniku, ponudite ga ponovo: svi prenosi su otkazani.',
    ],
    details: [`Vrijeme: ${when}`],
    action: 'Otvori svoje projekte',
    advice: 'Ako nešto nije u redu, a ne možete to sami da ispravite, obratite se operateru ovog servisa:',
  }),

  account_closed: ({ when }) => ({
    subject: 'Vaš nalog je zatvoren',
    heading: 'Vaš nalog je zatvoren',
    paragraphs: [
      'Vaš nalog je zatvoren, a podaci vašeg naloga su obrisani. Projekte sa stvarnim plaćanjima čuvamo arhivirane, sa podacima o tim plaćanjima: iznosima, stanjima, referencama, brojevima narudžbi, opisima, povraćajima i sporovima.',
      'Ova adresa više nije povezana ni sa jednim nalogom.',
    ],
    details: [`Vrijeme: ${when}`],
    advice: 'Ako to nijeste bili vi, obratite se operateru ovog servisa:',
    why: 'Ovu posljednju poruku šaljemo jer je zatvoren nalog sa ovom adresom.',
  }),

  secret_rotated: (facts) => (facts.mode === 'live' ? liveSecretRotated(facts) : testSecretRotated(facts)),

  url_changed: (facts) => ({
    subject: toUrlTitle(facts),
    heading: toUrlTitle(facts),
    paragraphs: facts.urls?.length ? facts.urls.map(toChangedUrl) : [changedUrls(facts.fields ?? [])],
    details: projectDetails(facts),
    action: 'Otvori istoriju',
    advice: toAdvice(facts, {
      own: ` Zatim vratite ${oldUrls(facts)}.`,
      others: `Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim vratite ${oldUrls(facts)} i zamijenite ključ.`,
    }),
  }),

  live_settings_changed: (facts) => ({
    subject: `Promijenjena su podešavanja stvarnog režima: ${facts.project}`,
    heading: `Promijenjena su podešavanja stvarnog režima: ${facts.project}`,
    paragraphs: [
      ...(facts.requireSignedLinks === undefined
        ? []
        : [SIGNED_LINKS[facts.requireSignedLinks ? 'on' : 'off']]),
      ...(facts.events === undefined
        ? []
        : [`Obavještenja se sada šalju o ovim događajima: ${toEvents(facts.events)}.`]),
    ],
    details: projectDetails(facts),
    action: 'Otvori podešavanja',
    advice: toAdvice(facts, {
      own: ' Zatim vratite stara podešavanja.',
      others:
        'Ako treba, uklonite tu osobu iz projekta (osim ako je vlasnik), a zatim vratite stara podešavanja i zamijenite ključ.',
    }),
  }),

  ...deliveryMails,
  incident: ({ what, count, incidents, when }) => ({
    subject:
      count === 1
        ? `Incident ${incidents[0]!.number}: ${what}`
        : `Incidenti (${formatNumber('cnr', count)}): ${what}`,
    heading:
      count === 1
        ? 'Jedan incident čeka vašu provjeru'
        : `${formatNumber('cnr', count)} ${plural('cnr', count, { one: 'incident čeka', few: 'incidenta čekaju', other: 'incidenata čeka' })} vašu provjeru`,
    paragraphs: [
      what,
      ...(incidents.some(({ transactionId }) => transactionId !== null)
        ? [
            count === 1
              ? 'Stanje plaćanja zbog toga nije promijenjeno. Komanda ispod pokazuje da li plaćanje čeka vašu odluku.'
              : 'Stanja plaćanja zbog toga nijesu promijenjena. Komanda ispod pokazuje da li neko plaćanje čeka vašu odluku.',
          ]
        : []),
    ],
    details: [
      ...incidents.map(({ number, transactionId }) =>
        transactionId === null
          ? `Incident ${number}: ne odnosi se na plaćanje`
          : `Incident ${number}, ID transakcije: ${transactionId}`,
      ),
      ...(count > incidents.length ? [`I još: ${formatNumber('cnr', count - incidents.length)}`] : []),
      `Vrijeme: ${when}`,
    ],
    advice: `Takvih slučajeva može biti još; pišemo najviše jednom na sat. Ova komanda prikazuje ${count === 1 ? 'incident i pokazuje kako se zatvara' : 'incidente i pokazuje kako se svaki zatvara'}:`,
    command: `npm run pazar -- incidents ${count === 1 ? `show ${incidents[0]!.number}` : 'list'}`,
    why: WHY_OPERATOR,
  }),
}

// Words that merchants use for the same thing. The search treats all words of a group as one concept: the guide says callback,
// and half of its readers say webhook.
import type { Locale } from '@pazar/words'
import { toTerms } from './fold.ts'

const GROUPS: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'callback webhook notification notify notified',
    'secret key',
    'lost leaked leak stolen exposed compromised published hacked',
    'twice duplicate double repeated',
    'ship shipping goods fulfil fulfill parcel package dispatch',
    'amount price cost sum total',
    'register registration signup',
    'sdk library',
    'machine computer laptop localhost local',
    'test simulate sandbox testing tests staging demo',
    'live production real',
    'limit quota maximum max largest most',
    'print printed poster sticker counter till',
    'expire expiry valid lifetime validity expires',
    'return redirect land back redirected',
    'declined decline refused rejected fails failed failure',
    'customer client shopper',
    'payment pay paid paying charge charged transaction',
    'refund reimburse moneyback',
    'dispute chargeback disputed contested',
    'accountant bookkeeper bookkeeping books accounting advisor auditor',
    'statement report',
    'sale sales revenue turnover earnings income earn earned',
    'tax vat',
    'email mail mails emails',
    'signin login',
    'dashboard portal panel',
    'developer programmer engineer',
    'subscription recurring membership',
    'certificate tls ssl',
    'raw unparsed',
    'visa mastercard amex maestro',
    'enable activate',
    'plugin module extension addon',
    'required mandatory obligatory compulsory',
    'parameter argument',
    'part partial half portion',
    'history audit',
    'admin administrator',
    'pagination paginate',
    'dollar usd',
    'download export csv excel',
    'fee fees commission',
    'member team colleague employee staff coworker teammate intern worker',
    'invite invitation',
    'remove revoke delete dismiss erase',
    '2fa mfa twofactor totp authenticator twostep',
    'passkey webauthn fingerprint',
    'server endpoint backend',
    'down offline unavailable unreachable outage broken crashed',
    'retry retries reattempt',
    'resend again replay',
    'late delay delayed slow',
    'order purchase invoice',
    'wrong invalid incorrect mismatch bad',
    'verify check validate',
    'signature sign signed hmac hash',
    'address url domain host',
    'language translation',
    'page checkout form',
    'embed iframe embedded frame popup modal',
    'wallet applepay googlepay',
    'shop store site website merchant webshop',
    'token apikey',
    'unauthorized unauthenticated',
    'logo colour color brand look customize',
    'cancel void abort',
    'error code problem message issue trouble',
    'phone mobile',
    'firewall allowlist whitelist blocked ip ips',
    'example sample snippet',
    'install installation setup',
    'begin start started',
    'change edit update modify',
    'see view show reveal find visible',
    'project application app',
    'delivery deliver delivered deliveries',
  ],
  cnr: [
    'obavještenje callback webhook notifikacija obavijestiti javiti',
    'ključ tajna secret',
    'izgubljen procurio curenje ukraden otkriven rukama objavljen',
    'dvaput dvostruko duplikat duplo ponovljeno',
    'roba pošiljka proizvod paket',
    'iznos cijena suma',
    'registracija registrovati registrujem registrujete',
    'sdk biblioteka',
    'računar kompjuter laptop localhost lokalno',
    'testni test probno probati probam isprobati isprobam sandbox proba testiranje testiram simulacija simulirati',
    'produkcija stvarni pravo uživo pravi live',
    'ograničenje limit najviše maksimum najveći maksimalni',
    'štampa odštampati štampanje plakat naljepnica kasa',
    'istek istekne ističe važi rok trajanje važenje',
    'povratak preusmjeravanje vraća vrati',
    'odbijeno odbija odbiti neuspjeh neuspješno neuspio',
    'plaćanje platiti plaćeno plati platio plaća naplata naplaćeno naplatiti naplaćuje transakcija uplata uplatiti uplaćeno',
    'povraćaj refundacija refundirati refund',
    'spor osporava osporavanje chargeback osporeno reklamacija',
    'knjigovođa računovođa knjigovodstvo računovodstvo knjiženje savjetnik',
    'prodaja prihod zarada zaraditi',
    'porez poreska pdv',
    'mejl imejl mail email',
    'prijava login ulogovati ulogujem',
    'lozinka šifra password',
    'portal dashboard panel',
    'zaglavlje heder header',
    'prenos prenijeti prebaciti prebacim',
    'pretplata članarina',
    'potvrda priznanica receipt',
    'lažno falsifikovan lažirati',
    'visa viza mastercard amex maestro',
    'euro evro eur',
    'dolar usd',
    'pregledač browser',
    'sertifikat ssl tls',
    'čekanje pending',
    'dodatak plugin modul',
    'dio pola polovina djelimičan',
    'istorija dnevnik',
    'obavezan obavezno',
    'novi novog novom',
    'programer developer',
    'nalog profil',
    'izvod izvještaj',
    'preuzmem preuzeti izvoz izvezem csv excel eksel skinuti skinem',
    'provizija naknada trošak',
    'član tim kolega radnik zaposleni saradnik pripravnik',
    'pozivnica pozvati pozovem',
    'ukloniti ukinuti opozvati obrisati brisanje izbrisati izbaciti ukinem uklonim opozovem',
    '2fa dvofaktorska totp dvakoraka authenticator',
    'passkey otisak webauthn pristupni',
    'server endpoint backend',
    'nedostupan ugašen pao neradi kvar srušio',
    'ponavljanje ponavlja pokušaj pokušavate',
    'ponovo opet',
    'poslije posle nakon',
    'narudžba porudžbina faktura kupovina',
    'pogrešan neispravan netačan nevažeći nevalidan loš',
    'provjera provjeriti provjerim provjeravam',
    'potpis potpisati potpišem potpisan hmac hash',
    'adresa url domen',
    'jezik prevod lokalizacija',
    'stranica forma',
    'iframe ugraditi okvir',
    'wallet novčanik applepay googlepay',
    'prodavnica radnja shop sajt trgovac',
    'greška problem poruka',
    'telefon mobilni',
    'firewall zaštitni blokira dozvola ip',
    'primjer uzorak isječak',
    'instalacija instalirati instaliram',
    'početak početi počnem krenuti',
    'promjena promijeniti promijenim mijenjam izmjena izmijeniti',
    'vidjeti vidim prikazati pogledati naći nađem pronaći pronađem',
    'projekat projekta projektu aplikacija',
    'kupac kupca kupcu mušterija klijent',
    'novac novca novcu pare',
    'podatak podaci podatke podataka',
    'token tokena tokeni tokenom',
    'redosljed redoslijed redom',
    'otkazati poništiti storno stornirati otkažem poništim',
    'logo boja boje izgled brend',
  ],
}

function toConcepts(locale: Locale): ReadonlyMap<string, string> {
  const concepts = new Map<string, string>()
  for (const words of GROUPS[locale]) {
    const terms = words.split(' ').flatMap((word) => toTerms(word, locale) ?? [])
    for (const term of terms) if (!concepts.has(term)) concepts.set(term, terms[0] ?? term)
  }
  return concepts
}

const concepts: Readonly<Record<Locale, ReadonlyMap<string, string>>> = {
  en: toConcepts('en'),
  cnr: toConcepts('cnr'),
}

/** Terms that are in two groups, of which the search would use only the first. A test requires that there are none. */
export function findSharedTerms(locale: Locale): string[] {
  const groups = GROUPS[locale].map((words) => [
    ...new Set(words.split(' ').flatMap((word) => toTerms(word, locale) ?? [])),
  ])
  const terms = groups.flat()
  return terms.filter((term, index) => terms.indexOf(term) !== index)
}

/** The first term of the group that has this term; the term itself if no group has it. */
export function toConcept(term: string, locale: Locale): string {
  return concepts[locale].get(term) ?? term
}

/** All terms of the groups. */
export function synonymTerms(locale: Locale): string[] {
  return [...concepts[locale].keys()]
}

/** A shorter beginning of a word is not completed. */
const BEGINNING_MIN = 4

/**
 * The concepts of the synonyms that begin with this term. The index stores "webhook" only as its concept, so "webh" alone
 * would find nothing.
 */
export function completeConcepts(term: string, locale: Locale): string[] {
  if (term.length < BEGINNING_MIN || concepts[locale].has(term)) return []
  return [...concepts[locale]].filter(([word]) => word.startsWith(term)).map(([, concept]) => concept)
}

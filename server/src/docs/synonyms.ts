// Words that merchants use for the same thing. The search treats all words of a group as one concept: the guide says callback,
// and half of its readers say webhook.
import type { Locale } from '@pazar/words'
import { fold, toTerms } from './fold.ts'

const GROUPS: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'callback webhook notification notify notified',
    'secret key',
    'lost leaked leak stolen exposed compromised published',
    'twice duplicate double repeated',
    'ship shipping goods fulfil fulfill parcel package dispatch',
    'amount price cost sum total',
    'register registration signup',
    'sdk library',
    'machine computer laptop localhost local',
    'test simulate sandbox testing tests',
    'live production real',
    'limit quota maximum max largest most',
    'print printed poster sticker counter till',
    'expire expiry valid lifetime validity expires',
    'return redirect land back redirected',
    'declined decline refused rejected fails failed failure',
    'customer buyer client shopper',
    'payment pay paid paying charge charged transaction',
    'refund reimburse moneyback',
    'dispute chargeback disputed contested',
    'accountant bookkeeper bookkeeping books',
    'statement report',
    'download export csv excel',
    'fee fees commission',
    'member team colleague employee staff coworker teammate',
    'invite invitation',
    'remove revoke delete dismiss',
    '2fa mfa twofactor totp authenticator twostep',
    'passkey webauthn fingerprint',
    'server endpoint backend',
    'down offline unavailable unreachable outage',
    'retry retries resend again reattempt',
    'late delay delayed slow',
    'order purchase invoice',
    'wrong invalid incorrect mismatch bad',
    'verify check validate',
    'signature sign signed hmac hash',
    'address url domain host',
    'language translation',
    'page checkout form',
    'embed iframe embedded frame',
    'wallet applepay googlepay',
    'shop store site website merchant',
    'token apikey',
    'unauthorized unauthenticated',
    'logo colour color brand look customize',
    'cancel void abort',
    'error code problem message',
    'phone mobile',
    'firewall allowlist whitelist blocked ip',
    'example sample snippet',
    'install installation setup',
    'begin start started',
    'change edit update modify',
    'see view show reveal find',
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
    'testni test probno probati probam isprobati isprobam sandbox proba testiranje testiram',
    'produkcija stvarni pravo uživo pravi',
    'ograničenje limit najviše maksimum najveći maksimalni',
    'štampa odštampati štampanje plakat naljepnica kasa',
    'istek istekne ističe važi rok trajanje važenje',
    'povratak preusmjeravanje vraća vrati',
    'odbijeno odbija odbiti neuspjeh neuspješno neuspio',
    'plaćanje platiti plaćeno plati platio naplata naplaćeno transakcija uplata',
    'povraćaj refundacija refundirati',
    'spor osporava osporavanje chargeback osporeno reklamacija',
    'knjigovođa računovođa knjigovodstvo računovodstvo knjiženje',
    'izvod izvještaj',
    'preuzmem preuzeti izvoz csv excel skinuti skinem',
    'provizija naknada trošak pretplata',
    'član tim kolega radnik zaposleni saradnik',
    'pozivnica pozvati pozovem',
    'ukloniti ukinuti opozvati obrisati izbaciti ukinem uklonim opozovem',
    '2fa dvofaktorska totp dvakoraka',
    'passkey otisak webauthn pristupni',
    'server endpoint backend',
    'nedostupan ugašen pao neradi',
    'ponovo ponavljanje pokušaj pokušavate',
    'narudžba porudžbina faktura kupovina',
    'pogrešan neispravan netačan nevažeći loš',
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
    'vidjeti vidim prikazati pogledati',
    'projekat projekta projektu aplikacija',
    'kupac kupca kupcu mušterija klijent',
    'novac novca novcu pare',
    'podatak podaci podatke podataka',
    'token tokena tokeni tokenom',
    'redosljed redoslijed redom',
    'otkazati poništiti storno otkažem poništim',
    'logo boja boje izgled brend',
  ],
}

/** Phrases that count as one word. */
const PHRASES: Readonly<Record<Locale, readonly (readonly [RegExp, string])[]>> = {
  en: [
    // "go" alone is a stop word.
    [/\bgo (?:run|build|mod|lang)\b/gi, 'golang'],
    // The code `sign_up_closed` is not about signatures.
    [/\bsign(?:ing)?[ _]up(?=\b|_)/gi, 'signup'],
    // Signing in is not about signatures either.
    [/\bsign(?:s|ed|ing)?[ -]in\b/gi, 'signin'],
    // The stem of "payer" would be that of "pay".
    [/\bpayers?\b/gi, 'customer'],
    [/\bsecond[- ]factors?\b/gi, 'twofactor'],
    [/\bcolor/gi, 'colour'],
    [/\b(?:two|several|many) times\b/gi, 'twice'],
    [/\b(?:two|2)[- ](?:step|factor)\b/gi, 'twofactor'],
    [/\b(?:give|gives|giving|get|send|pay)\b(?: \w+){0,3} money back\b/gi, 'refund'],
    [/\bmoney back\b/gi, 'refund'],
    [/\bapi key\b/gi, 'token'],
    [/\b(?:status[- ]checks?|check(?:ing)? (?:the )?(?:payment )?status)\b/gi, 'statuscheck'],
    [/\b(apple|google) pay\b/gi, '$1pay'],
  ],
  cnr: [
    [/\bgo (?:run|build|mod|lang)\b/gi, 'golang'],
    [/\b(?:dva|vise) puta\b/gi, 'dvaput'],
    [/\bdva koraka\b/gi, 'dvakoraka'],
    [/\bdvostruk\w* provjer\w*/gi, 'dvofaktorska'],
    [/\bne radi\b/gi, 'neradi'],
    [/\b(?:se )?ne (?:poklapa|slaze|odgovara)\b/gi, 'neispravan'],
    [/\bnije (?:isprav|dob|tac)\w*/gi, 'neispravan'],
    [/\b(?:posalj\w*|poslati|slanje|salje\w*)\b/gi, 'slanje'],
    [/\b(?:vrat\w*|povrat\w*|vrac\w*)(?: \w+){0,2} (?:novac|novca|pare|iznos\w*)\b/gi, 'povracaj'],
    [/\b(apple|google) pay\b/gi, '$1pay'],
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

/** Replaces each phrase with the word that stands for it. */
export function joinPhrases(text: string, locale: Locale): string {
  const plain = locale === 'cnr' ? fold(text) : text
  return PHRASES[locale].reduce((joined, [phrase, word]) => joined.replaceAll(phrase, word), plain)
}

/** The first term of the group that has this term; the term itself if no group has it. */
export function toConcept(term: string, locale: Locale): string {
  return concepts[locale].get(term) ?? term
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

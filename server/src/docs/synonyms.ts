// Words that merchants use for the same thing. The search treats all words of a group as one concept: the guide says
// callback, and many of its readers say webhook.
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
    'obavještenje callback webhook notifikacija obavijestiti javiti javljate kolbek vebhuk hook',
    'ključ tajna secret sekret key',
    'izgubljen gubitak procurio curenje ukraden otkriven rukama objavljen kompromitovan leak leakovan',
    'dvaput dvostruko duplikat duplo ponovljeno',
    'roba pošiljka proizvod paket',
    'iznos cijena suma amount',
    'registracija registrovati registrujem registrujete',
    'sdk biblioteka',
    'računar kompjuter mašina laptop localhost lokalno',
    'testni test probno probati probam isprobati isprobam sandbox proba testiranje testiram simulacija simulirati isprobavanje isprobavam vježbam',
    'produkcija stvarni pravo uživo pravi live lajv realni živi production',
    'ograničenje limit limiti najviše maksimum najveći maksimalni',
    'štampa odštampati štampanje print isprintati plakat naljepnica kasa',
    'istek istekne ističe isteći važi rok trajanje važenje expiry',
    'povratak povratka povratna preusmjeravanje preusmjeriti preusmjerava vraća vrati redirect redirekcija redirektuje return',
    'odbijeno odbija odbiti neuspjeh neuspješno neuspio',
    'plaćanje platiti plaćeno plati platio plaća naplata naplate naplaćeno naplatiti naplaćuje naplaćivanje transakcija uplata uplate uplatiti uplaćeno uplaćivanje payment',
    'povraćaj refundacija refundirati refund',
    'spor osporava osporavanje chargeback osporeno reklamacija reklamirao dispute prigovor žalba',
    'knjigovođa knjigovotkinja računovođa knjigovodstvo računovodstvo knjiženje savjetnik',
    'prodaja prihod zarada zaraditi',
    'porez poreska pdv',
    'mejl mejla imejl mail email',
    'prijava prijaviti prijavljivanje login',
    'lozinka šifra password',
    'portal dashboard panel',
    'zaglavlje heder header',
    'prenos prenijeti prebaciti prebacim prebacivanje',
    'pretplata pretplate pretplatiti pretplaćen pretplaćivanje pretplatnički članarina',
    'potvrda priznanica receipt',
    'lažno falsifikovan lažirati',
    'visa viza mastercard amex maestro',
    'euro evro eur',
    'dolar usd',
    'pregledač browser',
    'sertifikat ssl tls',
    'čekanje čekati pending',
    'dodatak plugin modul',
    'dio pola polovina djelimičan',
    'istorija historija dnevnik evidencija zapisnik',
    'obavezan obavezno',
    'novi novog novom',
    'programer developer',
    'nalog profil',
    'izvod izvještaj report',
    'preuzmem preuzeti izvoz izvezem csv excel eksel skinuti skinem skidanje export eksport eksportovati download',
    'provizija naknada trošak troškovi procenat procenata',
    'član tim kolega radnik zaposleni saradnik pripravnik',
    'pozivnica pozvati pozovem pozivanje invite',
    'ukloniti ukinuti opozvati obrisati brisanje izbrisati izbaciti ukinem uklonim opozovem',
    '2fa dvofaktorska totp dvakoraka authenticator autentifikator',
    'passkey otisak webauthn pristupni',
    'server endpoint backend',
    'nedostupan ugašen pao padne neradi kvar srušio',
    'ponavljanje ponavlja pokušaj pokušavate retry',
    'ponovo opet resend',
    'poslije posle nakon',
    'narudžba porudžbina faktura kupovina',
    'pogrešan neispravan netačan nevažeći nevalidan loš',
    'provjera provjeriti provjerim provjeravam verifikacija verifikovati verifikujem validacija validirati',
    'potpis potpisati potpišem potpisan signature hmac hash',
    'adresa url domen',
    'jezik jezici prevod lokalizacija',
    'stranica forma checkout',
    'iframe ugraditi okvir',
    'wallet novčanik applepay googlepay',
    'prodavnica radnja shop sajt trgovac',
    'greška grešaka error problem poruka',
    'telefon mobilni mobitel',
    'firewall blokira ip',
    'primjer uzorak isječak example sample',
    'instalacija instalirati instaliram',
    'početak početi počnem krenuti',
    'promjena promijeniti promijenim mijenjam izmjena izmijeniti',
    'vidjeti vidim prikazati pogledati gledati naći nađem pronaći pronađem',
    'projekat projekta projektu aplikacija',
    'kupac kupca kupcu mušterija klijent platilac platioca potrošač',
    'novac novca novcu pare',
    'podatak podaci podatke podataka',
    'token tokena tokeni tokenom',
    'redosljed redoslijed redom',
    'otkazati poništiti poništavanje storno stornirati otkažem poništim',
    'logo logotip boja boje izgled dizajn brend brendiranje',
    'uloga uloge dozvola dozvole rola permisija privilegija ovlašćenje',
    'napraviti pravljenje kreirati generisati izraditi sastaviti',
    'podesiti podešavanje konfigurisati konfiguracija postavke namjestiti',
    'uključiti aktivirati aktivacija omogućiti',
    'isključiti deaktivirati onemogućiti',
    'zamjena zamijeniti rotacija rotirati',
    'isporuka isporučiti',
    'odgovor odgovara odgovoriti response',
    'otvoriti otvara otvaranje',
    'slušanje slušati listen',
    'vrsta tip',
    'jedinstven unikatan unique',
    'događaj event',
    'sanduče sandučić inbox',
    'terminal cli konzola',
    'ispit exam',
    'bezbjednost sigurnost bezbjedan siguran',
    'napad napadač haker',
    'povezati povezivanje spojiti spajanje',
    'isplata isplate isplatiti isplaćuje isplaćivanje',
    'valuta valuti currency',
    'banka banci bankovni',
    'vlasnik vlasništvo owner',
    'opis deskripcija description',
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

/** Terms that are in two groups. The search would use only the first group, so a test requires that there are none. */
export function findSharedTerms(locale: Locale): string[] {
  const groups = GROUPS[locale].map((words) => [
    ...new Set(words.split(' ').flatMap((word) => toTerms(word, locale) ?? [])),
  ])
  const terms = groups.flat()
  return terms.filter((term, index) => terms.indexOf(term) !== index)
}

export function toConcept(term: string, locale: Locale): string {
  return concepts[locale].get(term) ?? term
}

export function synonymTerms(locale: Locale): string[] {
  return [...concepts[locale].keys()]
}

const BEGINNING_MIN = 4

/**
 * Returns the concepts of all synonyms that begin with the term. The index stores "webhook" only as its concept, so "webh"
 * alone would find nothing.
 */
export function completeConcepts(term: string, locale: Locale): string[] {
  if (term.length < BEGINNING_MIN || concepts[locale].has(term)) return []
  return [...concepts[locale]].filter(([word]) => word.startsWith(term)).map(([, concept]) => concept)
}

// Words that merchants use for the same thing. For a word of a group, the search also looks for the other words, with a lower
// weight: the guide says callback, and half of its readers say webhook.
import type { Locale } from '@pazar/words'
import { fold, toTerms } from './fold.ts'

const GROUPS: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'callback webhook notification',
    'secret key',
    'lost leaked stolen exposed compromised',
    'twice duplicate double repeated',
    'ship goods fulfil parcel',
    'amount price cost',
    'register registration signup',
    'sdk library package',
    'machine computer laptop localhost',
    'test simulate',
    'live production real',
    'limit quota maximum',
    'print poster sticker',
    'expire expiry valid lifetime',
    'return redirect land back',
    'declined refused rejected',
  ],
  cnr: [
    'obavještenje callback webhook notifikacija',
    'ključ tajna secret',
    'izgubljen procurio ukraden otkriven rukama',
    'dvaput dvostruko duplikat duplo ponovljeno',
    'roba pošiljka proizvod',
    'iznos cijena',
    'registracija registrovati registrujem',
    'sdk biblioteka paket',
    'računar kompjuter laptop localhost',
    'testni probno isprobati',
    'produkcija pravo uživo',
    'ograničenje limit najviše',
    'štampa odštampati plakat naljepnica',
    'istek istekne važi rok trajanje',
    'povratak vraća preusmjeravanje',
    'odbijeno odbija neuspjeh',
  ],
}

/** Phrases that count as one word. */
const PHRASES: Readonly<Record<Locale, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\bsign(?:ing)? up\b/gi, 'signup'],
    [/\b(?:two|several|many) times\b/gi, 'twice'],
  ],
  cnr: [[/\b(?:dva|vise) puta\b/gi, 'dvaput']],
}

function toGroups(locale: Locale): Map<string, ReadonlySet<string>> {
  const groups = new Map<string, ReadonlySet<string>>()
  for (const words of GROUPS[locale]) {
    const terms = new Set(words.split(' ').flatMap((word) => toTerms(word, locale) ?? []))
    for (const term of terms) groups.set(term, terms)
  }
  return groups
}

const groups: Readonly<Record<Locale, Map<string, ReadonlySet<string>>>> = {
  en: toGroups('en'),
  cnr: toGroups('cnr'),
}

/** Replaces each phrase with the word that stands for it. */
export function joinPhrases(text: string, locale: Locale): string {
  const plain = locale === 'cnr' ? fold(text) : text
  return PHRASES[locale].reduce((joined, [phrase, word]) => joined.replaceAll(phrase, word), plain)
}

/** The synonyms of the terms, without the terms themselves. */
export function findSynonyms(terms: readonly string[], locale: Locale): string[] {
  const others = terms.flatMap((term) => [...(groups[locale].get(term) ?? [])])
  return [...new Set(others)].filter((term) => !terms.includes(term))
}

// How the search compares words. Case and diacritics are ignored, because people type "placanje" for "plaćanje". Endings are
// ignored too, so that "obavještenja" finds "obavještenje". A field name is also found by its parts.
import type { Locale } from '@pazar/words'

const MARKS = /\p{M}+/gu

export function fold(text: string): string {
  return text.toLowerCase().replaceAll('đ', 'dj').normalize('NFD').replace(MARKS, '')
}

/** Words that the search ignores, in lower case and without diacritics. */
const STOP_WORDS: Readonly<Record<Locale, ReadonlySet<string>>> = {
  en: new Set(
    `a about after all am an and any are as at be been but by can could did do does for from get give go got had has
     have how i if in instead into is it its like make may me mean meaning means must my need no not of on one or our out please should so some supported tell
     than that the their them then there these they this through to up us use want was way we were what when where which
     while who why will with without would you your`.split(/\s+/),
  ),
  cnr: new Set(
    `a ako ali bez bi biste biti bude budem cemu cime da dobiti dobijem dobijam dok do ga gdje i ih ili ima imam imamo imati iz ja je jedan jos kad kada kako
     kod koga koja koje koji koju kog kojem kojoj kojih koliko kolika koliki ko kome li me mi mene mi moj moja moje mogu moze mora moram mozete na nakon ne nego neki
     nije nam nas nemam nesto ni o od ova ovaj ovo po pa pod preko pri prije s sa sam samo se si smijem smije smijemo smiju smo sta sto su svoj svoja svoje svoju ta
     taj te tada to toga treba trebam u umjesto uz vam vas vasa vase vec vi za zasto zelim`.split(/\s+/),
  ),
}

/** Endings that are removed, the longest first. At least three letters remain, so that short words are not changed. */
const ENDINGS: Readonly<Record<Locale, RegExp>> = {
  en: /(?<=.{3})(?:cations?|ations?|ments?|ings?|ers?|ions?|ed|es|ly|s|e)$/,
  cnr: /(?<=.{3})(?:(?:ov|iv|av)?anj(?:e|a|u|em|ima)|enj(?:e|a|u|em|ima)|ovima|evima|nosti?|stv(?:o|a|u|om)|icama|sk(?:i|a|e|o|u|im|ih|oj|om|og)|ovali|ovati|ivati|avati|uje(?:m|te|mo)?|ava(?:m|mo|te)?|ama|ima|ov[aei]|ev[aei]|emo|imo|amo|ate|ite|ete|ati|iti|eti|uti|al[aio]|il[aio]|an[aio]|en[aio]|am|om|em|og|oj|im|ih|ju|ao|io|la|lo|li|n[aeio]|m|t|[aeiou])$/,
}

/** `verify` and `verified` have the same stem. */
const FINAL_Y = /(?<=..[^aeiou])y$/

function toStem(term: string, locale: Locale): string {
  const stem = term.replace(ENDINGS[locale], '')
  return locale === 'en' ? stem.replace(FINAL_Y, 'i') : stem
}

const CAMEL_CASE_BORDER = /(?<=[\p{Ll}\d])(?=\p{Lu})/u

/** The terms under which the index stores and finds a word; null for a stop word. */
export function toTerms(word: string, locale: Locale): string[] | null {
  const parts = word.split(CAMEL_CASE_BORDER).flatMap((part) => part.split('_'))
  const all = parts.length > 1 ? [word, ...parts] : [word]
  const terms = all
    .map(fold)
    .filter((term) => term !== '' && !STOP_WORDS[locale].has(term))
    .map((term) => toStem(term, locale))
  return terms.length === 0 ? null : [...new Set(terms)]
}

/** The words of a text with their positions, for marking those that matched. */
export function* wordsOf(text: string): Generator<{ word: string; at: number }> {
  for (const found of text.matchAll(/[\p{L}\p{N}_]+/gu)) yield { word: found[0], at: found.index }
}

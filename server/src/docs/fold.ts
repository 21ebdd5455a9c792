// How the search compares words. Case and diacritics are ignored, because people type "placanje" for "plaćanje". Endings are
// ignored too, so that "obavještenja" finds "obavještenje". A field name is also found by its parts.
import type { Locale } from '@pazar/words'

const MARKS = /\p{M}+/gu

export function fold(text: string): string {
  return text.toLowerCase().replaceAll('đ', 'dj').normalize('NFD').replace(MARKS, '')
}

const STOP_WORDS: Readonly<Record<Locale, ReadonlySet<string>>> = {
  en: new Set(
    `a about actually after all also although am an and any anybody anyone anything are as at be because been before being between both but by
     came can come comes coming could did difference differences do does doing done each either else ever every exactly for from get gets getting
     give given go goes going got had happen happened happening happens has have having he hello help her here hi his how however i if in instead
     into is it its itself just let lets like make makes making may me mean meaning means might mine much must my myself need needed needs
     neither no nor not now of off ok on one only or our ours out own please possible really said say saying says she should so some somebody
     someone something still such suddenly supported tell than that the their them themselves then there these they thing things this those though through
     to trying up us use used using very via want wants was way we well were what whats when where whether which while who whom whose why
     will with without would yes yet you your yours`.split(/\s+/),
  ),
  cnr: new Set(
    `a aha ako al ali ba barem bas bez bi bih bila bili bilo bio bismo biste biti bude budem budemo budete budi budu cak cega cemu cim cime da
     daje daju dakle dal dat deo desava desavaju desi desilo dio do dobar dobijaju dobijam dobijamo dobijate dobijem dobila dobili dobio dobiti
     dobro dok dosta e eto evo funkcionise ga gde gdje hoce hocemo hocu htio htjela htjeli hvala i ih ikakav ikako ili im ima imaju imali imam
     imamo imate imati inace ipak isto iz izmedju izmedu ja je jedan jedna jedno jednog jednom jednu jel jeli jer jesam jesmo jeste jesu jos kad
     kada kakav kako kakva kakve kakvo kao kaze kazete kazu ko kod kog koga koja koje kojeg kojem koji kojih kojim kojima kojoj kojom koju kolika
     kolike koliki koliko kolko kome kroz li me mene meni mi mnogo mnom mnome mog mogao mogla mogli mogu moj moja moje mojeg mojem mojih mojim
     mojoj mojom moju mom mora moraju moram moramo morate mozda moze mozemo mozete mu na nad nadam nam nama nas nasa nase naseg nasem nasi nasih
     nasim nasoj nasu ne negdje nego neka neke neki nekih nekim neko nekog nekoj nekom neku nema nemaju nemam nemamo nemate nesto ni nije nijesam
     nijesmo nijesu nisam nismo nista nisu njega njemu njih njim njima njoj no npr o oba od odnosno on ona onaj onda one oni ono ova ovaj ovde
     ovdje ove ovi ovim ovo ovog ovoj ovom ovu pa pak pise po pod pored posto pozdrav pre preko prema pri prije pritom radim radimo raditi
     razlici razlika razlike razliku razlikuje s sa sad sada sam sama sami samo se sebe sebi si smije smijem smijemo smijete smiju smo sta sto su
     sva svaka svaki svako sve svega svejedno svemu svi svih svim svog svoj svoja svoje svojeg svojem svoji svojih svojim svojoj svoju svom svu
     ta taj takav tako takva takvo te tebe tek ti tih tim time to tog toga toj tom tome treba trebaju trebalo trebam trebamo trebate tu u umesto
     umjesto uopste uradim uradimo uraditi ustvari uz valjda vam vama vas vasa vase vaseg vasem vasi vasih vasim vasoj vasu vec vi za zar zasto
     zato zbog ze zeli zelim zelimo zelite zna znaci znaciti znam znamo znati`.split(/\s+/),
  ),
}

/** Endings that are removed, the longest first. At least three letters remain, so that short words are not changed. */
const ENDINGS: Readonly<Record<Locale, RegExp>> = {
  en: /(?<=.{3})(?:cations?|ations?|ments?|ings?|ers?|ions?|ed|es|ly|s|e)$/,
  cnr: /(?<=.{3})(?:(?:ov|iv|av)an(?:e|a|u|em|ima)|ij(?:a|i|u|om|ama)|ovima|evima|nosti?|stv(?:o|a|u|om)|icama|sk(?:i|a|e|o|u|im|ih|oj|om|og)|ovali|ovati|ivati|avati|uje(?:m|te|mo)?|ava(?:m|mo|te)?|ama|ima|ov[aei]|ev[aei]|emo|imo|amo|ate|ite|ete|ati|iti|eti|uti|al[aio]|il[aio]|am|om|em|oj|im|ih|ju|ao|io|la|lo|li|m|t|[aeiou])$|(?<=.{5})aj(?:te)?$|(?<=.{4})(?:og|[ae]n(?:a|e|i|o|u|og|om|oj|im|ih)?)$|(?<=.{5})n(?:a|e|i|o|u|og|om|oj|im|ih)?$/,
}

/** How many endings a word may lose. Forms of one Montenegrin word can have more or fewer: "problema", "problem". */
const ENDINGS_MAX: Readonly<Record<Locale, number>> = { en: 1, cnr: 3 }
/** A further ending is removed only if this many letters remain. A shorter stem would be the beginning of too many words. */
const SHORTENED_MIN = 4

/** `verify` and `verified` have the same stem. */
const FINAL_Y = /(?<=..[^aeiou])y$/

/** Readers from Serbia write "obaveštenje" and "cena" for "obavještenje" and "cijena". Both spellings get the same short form. */
function toShortForm(term: string): string {
  return (
    term
      .replaceAll('ije', 'e')
      .replaceAll(/(?<=[bcdfghklmnprstvz])j(?=e|$)/g, '')
      // "plaćanje" has lost its "j" above, so "plaćanja" loses it too.
      .replaceAll(/nj(?=[aiu])/g, 'n')
      .replaceAll('dj', 'd')
  )
}

function toStem(folded: string, locale: Locale): string {
  const term = locale === 'cnr' ? toShortForm(folded) : folded
  let stem = term.replace(ENDINGS[locale], '')
  for (let removed = 1; removed < ENDINGS_MAX[locale]; removed += 1) {
    const shorter = stem.replace(ENDINGS[locale], '')
    if (shorter.length >= SHORTENED_MIN) stem = shorter
  }
  return locale === 'en' ? stem.replace(FINAL_Y, 'i') : stem
}

const CAMEL_CASE_BORDER = /(?<=[\p{Ll}\d])(?=\p{Lu})/u
/** The name of a field begins with a small letter. "WordPress" and "GitHub" do not, so they are not split. */
const FIELD_NAME = /^\p{Ll}/u

export function toTerms(word: string, locale: Locale): string[] | null {
  const parts = (FIELD_NAME.test(word) ? word.split(CAMEL_CASE_BORDER) : [word]).flatMap((part) =>
    part.split('_'),
  )
  const all = parts.length > 1 ? [word, ...parts] : [word]
  const terms = all
    .map(fold)
    .filter((term) => term !== '' && !STOP_WORDS[locale].has(term))
    .map((term) => toStem(term, locale))
  return terms.length === 0 ? null : [...new Set(terms)]
}

export const WORD = /[\p{L}\p{N}_]+/gu

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

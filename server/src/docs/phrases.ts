// Phrases and words that the search replaces by a common form, in the guide and in questions: synonyms, spellings, and
// phrases such as "sign up", in which each word alone means something else.
import type { Locale } from '@pazar/words'
import { fold } from './fold.ts'

const PHRASES: Readonly<Record<Locale, readonly (readonly [RegExp, string])[]>> = {
  en: [
    // "go" alone is a stop word.
    [/\bgo (?:run|build|mod|lang)\b/gi, 'golang'],
    [/\bc ?#/gi, 'csharp'],
    // A server that returns 404 or HTML has nothing to do with the return of the payer.
    [/\breturn(?:s|ed|ing)? (?=(?:[2-5]\d\d|html|json)\b)/gi, 'responds '],
    // The code `sign_up_closed` is not about signatures.
    [/\bsign(?:ing|ed)?[ _-]up(?=\b|_)/gi, 'signup'],
    // Signing in is not about signatures either.
    [/\bsign(?:s|ed|ing)?[ -]in\b/gi, 'signin'],
    // Without this, "payer" would have the stem of "pay", and "buyer" the stem of "buy".
    [/\b(?:payer|buyer)s?\b/gi, 'customer'],
    [/\bsecond[- ]factors?\b/gi, 'twofactor'],
    [/\bcolor/gi, 'colour'],
    [/\b(?:two|several|many) times\b/gi, 'twice'],
    [/\b(?:two|2)[- ](?:step|factor)\b/gi, 'twofactor'],
    [/\b(?:give|gives|giving|get|send|pay)\b(?: \w+){0,3} money back\b/gi, 'refund'],
    [/\bmoney back\b/gi, 'refund'],
    // Without this, "why can I not refund" would be the same question as "how can I refund".
    [/\b(?:can(?:not|['’]t| (?:i |we )?not)|could(?:n['’]t| not)|unable to)\b/gi, 'impossible'],
    [/\b(?:do(?:es)?(?:n['’]t| not) know)\b/gi, 'unknown'],
    [/\blog(?:ging|ged)?[ -]in(?:to)?\b/gi, 'signin'],
    [/\b(?:web|online) (?:shop|store)s?\b/gi, 'webshop'],
    [/\b(?:payment|checkout|pay) (?:url|address)/gi, 'pay link'],
    [/\bkeep trying\b/gi, 'retry'],
    // "may" is left out, because it is also a verb.
    [/\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/gi, 'month'],
    // "without" alone is a stop word.
    [/\bwithout (?:any )?real money\b/gi, 'sandbox'],
    [/\b(?:unsigned|(?:without|no) (?:a |the )?signatures?)\b/gi, 'unsigned signature'],
    [/\b(?:without|no) (?:a |my own |having a )?(?:web ?shop|website|site)s?\b/gi, 'nowebsite'],
    // Questions about what did not arrive differ from questions about what arrives.
    [
      /\b(?:(?:do(?:es)?|did)(?: not|n['’]t)|never|not|no longer|stop(?:s|ped)?) (?:arriv|com[ei]|receiv|reach)\w*/gi,
      'absent',
    ],
    [/\bnode[. ]?js\b/gi, 'node'],
    [/\b(next|nest)[. ]?js\b/gi, '$1js'],
    [/\bthank[- ]you\b/gi, 'thanks'],
    // "after" alone is a stop word.
    [/\bafter (?:the )?pay(?:ing|ment)s?\b/gi, 'afterwards payment'],
    [/\b3[- ]?ds?(?:[- ]secure)?\b/gi, 'threedsecure'],
    [/\bamerican express\b/gi, 'amex'],
    [/\b(?:turn|switch)(?:ing)? on\b/gi, 'enable'],
    [/\bapi key\b/gi, 'token'],
    [
      /\b(?:status[- ]checks?|check(?:ing)? (?:the |an? |my )?(?:(?:payment|order|transaction)(?:['’]?s)? )?status)\b/gi,
      'statuscheck',
    ],
    [/\b(?:order|custom)[ -]id\b/gi, 'customId'],
    [/\b(apple|google) pay\b/gi, '$1pay'],
  ],
  cnr: [
    [/\bgo (?:run|build|mod|lang)\b/gi, 'golang'],
    [/\bc ?#/gi, 'csharp'],
    // A server that returns 404 or HTML has nothing to do with the return of the payer.
    [/\bvra(?:ca|cao|tio|ti|cam)(?: vam| mi)? (?=(?:[2-5]\d\d|html|json)\b)/gi, 'odgovara '],
    [/\b(?:dva|vise) puta\b/gi, 'dvaput'],
    [/\bdva koraka\b/gi, 'dvakoraka'],
    // "u javi" means "in Java"; "javi" alone means "notify".
    [/\bu javi\b/gi, 'java'],
    // "znam" alone is a stop word.
    [/\bzna(?:m|mo|ti)\b(?=.*\b(?:placen|plati[ol]|uplacen))/gi, 'saznam'],
    // Signing and verifying a signature are different tasks.
    [/\bpotpis(?:iva\w*|uj\w*|ati|em|emo)\b/gi, 'potpisnik potpis'],
    [/\b((?:http|kod\w*|status\w*)(?: \w+){0,4}) vra[ct](?:am|amo|im|imo|iti|ati)\b/gi, '$1 odgovor'],
    // "bez" alone is a stop word.
    [/\bbez (?:prav|stvarn)\w* (?:novca|para)\b/gi, 'testno'],
    // "zašto" alone is a stop word. Without "razlog", the question why a card was declined would find the test amounts first.
    [/\bzasto (?=(?:\w+ ){0,2}(?:kartic|placanj|uplat|transakcij)\w* (?:\w+ )?odbi)/gi, 'razlog '],
    // The forms of "preći" have different stems.
    [/\b(?:predj?(?:em|emo|ete|e|u)|preci|pres(?:ao|la|li)|prelaz\w*|prelask\w*)\b/gi, 'prelazak'],
    // Before a word for live mode, "prebaciti" (to transfer) and the other verbs mean to go live.
    [
      /\b(?:prebac\w*|pust(?:iti|im|imo)|ukljuc\w*|aktivir\w*)(?=(?: \w+){0,5} (?:live|lajv|produkcij\w*|pravi rad|prav[eou]|rad|stvarn\w*)\b)/gi,
      'prelazak',
    ],
    // "pravim" (I make) alone would have the stem of "pravi" (real), a word for live mode.
    [/\bprav(?:im(?! \w+(?:om|ama|ima)\b)|imo|ite|iti|io|ila|ili|lj?enj\w*)\b/gi, 'napraviti'],
    // "ulogujem" (I sign in) would have the stem of "uloga" (role).
    [/\bu?log(?:ova[nt]|uj)\w*/gi, 'prijava'],
    // "log" would have the stem of "logo".
    [/\blog(?:u|ovi|ova|ove|ovima)?\b/gi, 'dnevnik'],
    [/\bzastitn\w* zid\w*/gi, 'firewall'],
    [/\bpovratn\w* (?:poziv|obav)\w*/gi, 'callback'],
    [/\bpovrat(?:a|u|om)?\b/gi, 'povracaj'],
    [/\bkomandn\w* linij\w*/gi, 'terminal'],
    [/\b(?:order|custom)[ -]?id(?:-?[ajeu]|em)?\b/gi, 'customid'],
    // "na provjeri" is said of a payment in review, not of a status check.
    [/\bna provjer[iu]\b/gi, 'naprovjeri'],
    [/\bdvostruk\w* provjer\w*/gi, 'dvofaktorska'],
    [/\bne radi\b/gi, 'neradi'],
    [
      /\b(?:januar|februar|mart|april|maj|jun|jul|avgust|septemb(?:a|r)|oktob(?:a|r)|novemb(?:a|r)|decemb(?:a|r))(?:r|a|u|om)?\b/gi,
      'mjesec',
    ],
    // "bez" alone is a stop word.
    [/\b(?:bez potpisa|nepotpisan\w*)/gi, 'nepotpisan potpis'],
    [/\bbez (?:svog )?(?:veb-?)?(?:sajta|prodavnice|internet prodavnice)\b/gi, 'bezsajta'],
    [/\bnode[. ]?js\b/gi, 'node'],
    [/\b(next|nest)[. ]?js\b/gi, '$1js'],
    // "Skinuti" alone means to download.
    [
      /\b(?:skinu\w*(?: \w+){0,2} (?:novac|novca|pare|iznos\w*)|(?:novac|novca|pare|iznos\w*)(?: \w+){0,2} skinu\w*)\b/gi,
      'naplaceno novac',
    ],
    // "Stvarno" before a verb means "really"; elsewhere it is a word for live mode.
    [/\bstvarno (?=od\b|do(?:sao|sla|slo|laz)|sti[gz]|posla|je\b|placen|platio|platil|pros)/gi, ''],
    [/\b(?:ne (?:mogu|moze(?:mo|te)?)|nemoguce)\b/gi, 'nemoguce'],
    // "pošta" alone would have the stem of the method POST.
    [/\be[-‑ ]?(?:post(?:a|e|i|u|om)|mail\w*)\b/gi, 'mejl'],
    [/\b(?:otv(?:or|ar)|kreira|napravi)\w*(?: \w+)? nalog\w*/gi, 'registracija'],
    [/\bamerican express\b/gi, 'amex'],
    [/\bmaster (?:card|kartic)\w*/gi, 'mastercard'],
    [/\b3[- ]?ds?(?:[- ]secure)?\b/gi, 'threedsecure'],
    [/\b(?:se )?ne (?:poklapa|slaze|odgovara)\b/gi, 'neispravan'],
    [/\bnije (?:isprav|dobar|dobr|tac|valid|vazec)\w*/gi, 'neispravan'],
    // Questions about what did not arrive differ from questions about what arrives.
    [/\b(?:ne|nije|nijesu|nisu)(?: \w+)? (?:sti[gz]|dolaz|dos[ailo]|dobi)\w*/gi, 'nestize'],
    [/\b(?:posalj\w*|poslati|slanje|salje\w*)\b/gi, 'slanje'],
    [/\b(?:vrat\w*|povrat\w*|vrac\w*)(?: \w+){0,2} (?:novac|novca|pare|iznos\w*)\b/gi, 'povracaj'],
    [/\b(apple|google) pay\b/gi, '$1pay'],
  ],
}

export function joinPhrases(text: string, locale: Locale): string {
  const plain = locale === 'cnr' ? fold(text) : text
  return PHRASES[locale].reduce((joined, [phrase, word]) => joined.replaceAll(phrase, word), plain)
}

import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import type { Catalogue } from '../catalogue-type.ts'
import type { FactorChange, FactorFacts } from '../mail-facts.ts'
import { plural } from '../plural.ts'

export const SECURE_ACCOUNT =
  'Ako to nijeste bili vi, odmah promijenite lozinku (Nalog, Opšte) i pri tome opozovite i API tokene. Ostali uređaji se tada odjavljuju sami.'

export const NOT_YOU = 'Nijeste to bili vi?'
export const CHANGE_PASSWORD = 'Promijeni lozinku'

export const toSecureSteps = (alsoEnded = ''): readonly string[] => [
  `Promijenite lozinku i na istoj stranici opozovite i API tokene. Ostali uređaji se tada odjavljuju${alsoEnded}.`,
  'Na stranici Bezbjednost provjerite pristupne ključeve, aplikaciju za potvrdu identiteta i rezervne kodove.',
  'Ako više ne možete da se prijavite, obratite se operateru ovog servisa:',
]

const codesLeft = (left: number) =>
  left === 0
    ? 'Nije preostao nijedan kod. Napravite nove na stranici Bezbjednost.'
    : `${plural('cnr', left, { one: 'Preostao je', few: 'Preostala su', other: 'Preostalo je' })} ${left} ${plural('cnr', left, { one: 'kod', few: 'koda', other: 'kodova' })}. Nove možete napraviti na stranici Bezbjednost.`

const IF_LAST =
  'Ako je to bio vaš jedini način dvostruke provjere, za prijavu je sada dovoljna lozinka, a rezervni kodovi su obrisani.'
const LAST =
  'To je bio vaš posljednji način dvostruke provjere: za prijavu je sada dovoljna lozinka. Rezervni kodovi su obrisani.'
const NOT_LAST = 'Dvostruka provjera ostaje uključena: na nalogu postoji još jedan način dvostruke provjere.'

const whatIsLeft = (isLast: boolean | null | undefined) =>
  isLast === true ? LAST : isLast === false ? NOT_LAST : IF_LAST

const toRemovalTitle = (title: string, isLast: boolean | null | undefined) =>
  isLast === true ? 'Dvostruka provjera je isključena' : title

const CHANGES: Record<FactorChange, (facts: FactorFacts) => { subject: string; paragraphs: string[] }> = {
  totp_added: () => ({
    subject: 'Dodata je aplikacija za potvrdu identiteta',
    paragraphs: [
      'Pri prijavi lozinkom sada je potreban i kod iz ove aplikacije ili pristupni ključ. Ako ste ranije koristili aplikaciju na drugom telefonu, njeni kodovi više ne važe. Napravljeni su novi rezervni kodovi; raniji više ne važe.',
    ],
  }),
  totp_removed: ({ isLast }) => ({
    subject: toRemovalTitle('Uklonjena je aplikacija za potvrdu identiteta', isLast),
    paragraphs: ['Vaš nalog više ne prihvata kodove iz aplikacije.', whatIsLeft(isLast)],
  }),
  recovery_codes_made: () => ({
    subject: 'Napravljeni su novi rezervni kodovi',
    paragraphs: ['Raniji rezervni kodovi vašeg naloga više ne važe.'],
  }),
  recovery_code_used: ({ left }) => ({
    subject: 'Iskorišćen je rezervni kod',
    paragraphs: [
      `Iskorišćen je rezervni kod vašeg naloga. ${codesLeft(left ?? 0)}`,
      `Naredna ${RECOVERY_WAIT_HOURS} sata sa vašeg naloga nije moguće prikazati ni zamijeniti stvarne tajne ključeve, ni tražiti povraćaje preko portala. Ne možete ni da kreirate API tokene ni da promijenite adresu e-pošte, a nijesu moguće ni neke druge radnje.`,
    ],
  }),
  passkey_added: ({ name }) => ({
    subject: 'Dodat je pristupni ključ',
    paragraphs: [`Od sada je prijava na vaš nalog moguća i pristupnim ključem „${name ?? ''}“.`],
  }),
  passkey_removed: ({ name, isLast }) => ({
    subject: toRemovalTitle('Uklonjen je pristupni ključ', isLast),
    paragraphs: [
      `Prijava na vaš nalog pristupnim ključem „${name ?? ''}“ više nije moguća.`,
      whatIsLeft(isLast),
    ],
  }),
  passkey_renamed: ({ name, former }) => ({
    subject: 'Pristupni ključ je preimenovan',
    paragraphs: [`Pristupni ključ „${former ?? ''}“ sada se zove „${name ?? ''}“.`],
  }),
  passkey_refused: ({ name }) => ({
    subject: 'Pristupni ključ je odbijen',
    paragraphs: [
      `Pristupni ključ „${name ?? ''}“ je odbijen jer je možda kopiran: brojač upotreba ovog ključa nije porastao od posljednje upotrebe.`,
      'Uklonite ovaj ključ na stranici Bezbjednost. Ako ste podatke na uređaju vratili iz rezervne kopije, ključ zatim dodajte ponovo.',
    ],
  }),
}

export const factorMails: Pick<Catalogue['mail'], 'factor_changed' | 'factor_reset'> = {
  factor_reset: ({ stage, when, forgotUrl }) =>
    stage === 'requested'
      ? {
          subject: 'Dvostruka provjera vašeg naloga biće uklonjena',
          heading: 'Dvostruka provjera vašeg naloga biće uklonjena',
          paragraphs: [
            `Operateru ovog servisa je javljeno da ste ostali bez pristupnih ključeva, aplikacije za potvrdu identiteta i rezervnih kodova. Sve to biće uklonjeno poslije ${when}.`,
            'Od tada je za prijavu na vaš nalog dovoljna lozinka, dok ponovo ne podesite dvostruku provjeru.',
          ],
          details: [`Stupa na snagu: ${when}`],
          action: 'Otkaži uklanjanje',
          advice:
            'Ako to nijeste tražili, otkažite uklanjanje do tada: prijavite se uz dvostruku provjeru ili, ako ste već prijavljeni, pritisnite „Otkaži uklanjanje“ na stranici Bezbjednost. Zatim promijenite lozinku (Nalog, Opšte) i obratite se operateru ovog servisa:',
        }
      : {
          subject: 'Dvostruka provjera vašeg naloga je uklonjena',
          heading: 'Dvostruka provjera vašeg naloga je uklonjena',
          paragraphs: [
            'Uklonjeni su pristupni ključevi, aplikacija za potvrdu identiteta i rezervni kodovi vašeg naloga, a svi uređaji su odjavljeni.',
            `Za prijavu je sada dovoljna lozinka. Ponovo podesite dvostruku provjeru. Naredna ${RECOVERY_WAIT_HOURS} sata sa vašeg naloga nije moguće prikazati ni zamijeniti stvarne tajne ključeve, ni tražiti povraćaje preko portala. Ne možete ni da kreirate API tokene ni da promijenite adresu e-pošte, a nijesu moguće ni neke druge radnje.`,
          ],
          details: [`Vrijeme: ${when}`],
          action: 'Otvori stranicu Bezbjednost',
          advice:
            'Ako to nijeste tražili, odmah zatražite novu lozinku i obratite se operateru ovog servisa:',
          contacts: [{ href: forgotUrl, label: 'zatražite novu lozinku' }],
        },

  factor_changed: (facts) => {
    const { subject, paragraphs } = CHANGES[facts.change](facts)
    return {
      subject,
      heading: subject,
      paragraphs,
      details: [`Vrijeme: ${facts.when}`, `IP adresa: ${facts.ip}`, `Pregledač: ${facts.browser}`],
      action: facts.change === 'passkey_refused' ? 'Otvori stranicu Bezbjednost' : CHANGE_PASSWORD,
      advice: NOT_YOU,
      steps: toSecureSteps(),
    }
  },
}

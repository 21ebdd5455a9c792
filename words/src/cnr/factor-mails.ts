import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import type { Catalogue } from '../en.ts'
import type { FactorChange, FactorFacts } from '../mail-facts.ts'
import { plural } from '../plural.ts'

const codesLeft = (left: number) =>
  left === 0
    ? 'Nema više kodova. Napravite nove na stranici Bezbjednost.'
    : `${plural('cnr', left, { one: 'Preostao je', few: 'Preostala su', other: 'Preostalo je' })} ${left} ${plural('cnr', left, { one: 'kod', few: 'koda', other: 'kodova' })}.`

const CHANGES: Record<FactorChange, (facts: FactorFacts) => { subject: string; paragraphs: string[] }> = {
  totp_added: () => ({
    subject: 'Dodata je aplikacija za potvrdu identiteta',
    paragraphs: [
      'Od sada je za prijavu na vaš nalog, pored lozinke, potreban i kod iz aplikacije. Napravljeni su novi rezervni kodovi.',
    ],
  }),
  totp_removed: () => ({
    subject: 'Uklonjena je aplikacija za potvrdu identiteta',
    paragraphs: ['Vaš nalog više ne prihvata kodove iz aplikacije.'],
  }),
  recovery_codes_made: () => ({
    subject: 'Napravljeni su novi rezervni kodovi',
    paragraphs: ['Raniji rezervni kodovi vašeg naloga više ne važe.'],
  }),
  recovery_code_used: ({ left }) => ({
    subject: 'Iskorišćen je rezervni kod',
    paragraphs: [
      `Iskorišćen je rezervni kod vašeg naloga. ${codesLeft(left ?? 0)}`,
      `Naredna ${RECOVERY_WAIT_HOURS} sata stvarni tajni ključevi se ne mogu prikazati, a povraćaji preko portala nijesu mogući.`,
    ],
  }),
  passkey_added: ({ name }) => ({
    subject: 'Dodat je pristupni ključ',
    paragraphs: [`Od sada se na vaš nalog može prijaviti pristupnim ključem „${name ?? ''}“.`],
  }),
  passkey_removed: ({ name }) => ({
    subject: 'Uklonjen je pristupni ključ',
    paragraphs: [`Pristupnim ključem „${name ?? ''}“ više se ne može prijaviti na vaš nalog.`],
  }),
  passkey_refused: ({ name }) => ({
    subject: 'Pristupni ključ je odbijen',
    paragraphs: [
      `Pristupni ključ „${name ?? ''}“ je odbijen jer je možda kopiran: njegov brojač se vratio unazad.`,
      'Ako nijeste vraćali podatke na uređaj na kojem je ključ, uklonite taj ključ na stranici Bezbjednost.',
    ],
  }),
}

export const factorMails: Pick<Catalogue['mail'], 'factor_changed'> = {
  factor_changed: (facts) => {
    const { subject, paragraphs } = CHANGES[facts.change](facts)
    return {
      subject,
      heading: subject,
      paragraphs,
      details: [`Vrijeme: ${facts.when}`, `IP adresa: ${facts.ip}`, `Pregledač: ${facts.browser}`],
      action: 'Otvori stranicu Bezbjednost',
      advice:
        'Ako to nijeste bili vi, odmah promijenite lozinku, odjavite sve ostale uređaje i provjerite pristupne ključeve, aplikaciju i rezervne kodove.',
    }
  },
}

import type { Catalogue } from '../catalogue-type.ts'
import type { ReceiptFacts } from '../mail-facts.ts'
import { toReceiptHero, wasReturned } from '../mail-facts.ts'

function toHeading({ moneyBack }: ReceiptFacts): string {
  if (!wasReturned(moneyBack)) return 'Plaćanje je završeno'
  return moneyBack?.isAll ? 'Novac je vraćen' : 'Novac je djelimično vraćen'
}

function toReturned({ moneyBack }: ReceiptFacts): string {
  const { refunded = null, byBank = null } = moneyBack ?? {}
  const parts = [refunded && `vraćeno ${refunded}`, byBank && `banka je vratila ${byBank}`].filter(Boolean)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function toMoneyBackParagraphs({ moneyBack }: ReceiptFacts): string[] {
  if (!moneyBack) return []
  const { refunded, byBank, refunding, isAll } = moneyBack
  const part = isAll && !(refunded && byBank) ? 'cijeli iznos' : 'dio iznosa'
  const sentences = [
    refunded && `Prodavac je vratio ${part}.`,
    byBank && `Banka je poslije spora vratila ${part}.`,
    refunding && `Povraćaj od ${refunding} je u toku.`,
    'Može proći nekoliko dana dok vraćeni novac ne bude vidljiv na vašem računu.',
  ]
  return [sentences.filter(Boolean).join(' ')]
}

function toMoneyBackDetails({ moneyBack }: ReceiptFacts): string[] {
  if (!moneyBack) return []
  const { refunded, refundedAt, byBank, byBankAt, refunding, net, isAll } = moneyBack
  return [
    ...(refunded ? [`Vraćeno: \u2212${refunded}`] : []),
    ...(byBank ? [`Banka vam je vratila: \u2212${byBank}`] : []),
    ...(wasReturned(moneyBack) && !isAll ? [`Ostaje plaćeno: ${net}`] : []),
    ...(refunding ? [`Povraćaj u toku, još nije oduzet: ${refunding}`] : []),
    ...(refundedAt ? [`Vrijeme povraćaja: ${refundedAt}`] : []),
    ...(byBankAt ? [`Banka je vratila novac: ${byBankAt}`] : []),
  ]
}

export const receiptMail: Pick<Catalogue['mail'], 'receipt'> = {
  receipt: (facts) => ({
    subject: `Potvrda o plaćanju${toReturned(facts)}: ${facts.amount} – ${facts.merchant}`,
    heading: toHeading(facts),
    ...toReceiptHero(facts),
    paragraphs: [
      ...toMoneyBackParagraphs(facts),
      wasReturned(facts.moneyBack)
        ? 'Ovo nije fiskalni račun.'
        : 'Ovo je potvrda o vašem plaćanju. Nije fiskalni račun.',
    ],
    details: [
      `Prodavac: ${facts.merchant}`,
      `${wasReturned(facts.moneyBack) ? 'Plaćeni iznos' : 'Iznos'}: ${facts.amount}`,
      ...toMoneyBackDetails(facts),
      ...(facts.description === null ? [] : [`Opis: ${facts.description}`]),
      ...(facts.order === null ? [] : [`Broj narudžbe: ${facts.order}`]),
      `Vrijeme plaćanja: ${facts.paidAt}`,
      `Referenca plaćanja: ${facts.reference}`,
    ],
    action: 'Otvori potvrdu',
    advice: `Ako imate pitanja o narudžbi, pripremite referencu plaćanja i obratite se prodavcu${facts.contacts.length > 0 ? ':' : '.'}`,
    contacts: facts.contacts,
    why: 'Vaša adresa e-pošte unesena je na stranici za plaćanje. Briše se čim poruka bude poslata.',
  }),
}

import type { Catalogue } from '../catalogue-type.ts'
import type { DisputeFacts } from '../mail-facts.ts'
import { toEvidenceContact } from '../mail-facts.ts'

export const WHY_PAYMENTS = 'Ovu automatsku poruku dobijate jer se tiče vaših plaćanja.'
export const WHY_OPERATOR = 'Ovu poruku dobijate jer vodite ovaj servis.'

const toDetails = (facts: DisputeFacts) => [
  `Iznos: ${facts.amount}`,
  `Projekat: ${facts.project}`,
  ...(facts.order === null ? [] : [`Broj narudžbe: ${facts.order}`]),
  ...(facts.reference === null ? [] : [`Referenca plaćanja: ${facts.reference}`]),
  ...(facts.reader === 'merchant' && facts.reference !== null
    ? []
    : [`ID transakcije: ${facts.transactionId}`]),
  ...(facts.mode === 'test' ? ['Testno plaćanje: bez stvarnog novca'] : []),
]

const toDetailsWithDeadline = (facts: DisputeFacts) => [
  ...(facts.respondBy === null
    ? []
    : [`${facts.reader === 'merchant' ? 'Rok banke' : 'Rok za odgovor'}: ${facts.respondBy}`]),
  ...toDetails(facts),
]

const askMerchant = ({ mode, state, respondBy, operatorContact }: DisputeFacts) => {
  if (mode === 'test') return 'Ovo je testno plaćanje, bez stvarnog novca, i ništa ne treba slati.'
  const operator = `operateru ovog servisa${operatorContact === null ? '' : ` (${operatorContact})`}`
  const request = `Odmah pošaljite dokaze (narudžbu, potvrdu isporuke, prepisku) ${operator}.`
  if (respondBy === null) return request
  const otherwise = state === 'inquiry' ? 'upit može postati spor' : 'se spor obično gubi'
  return `${request} Banka mora dobiti odgovor operatera do ${respondBy}; poslije toga ${otherwise}.`
}

const askOperator = ({ mode, reader, respondBy }: DisputeFacts) => {
  if (mode === 'test') return 'Ovo je testno plaćanje: banci ne treba odgovarati.'
  const respond = respondBy === null ? 'što prije odgovorite banci.' : `odgovorite banci do ${respondBy}.`
  return reader === 'operator_alone'
    ? `Nalog prodavca je zatvoren, pa sami ${respond}`
    : `Prodavac je obaviješten. Prikupite njegove dokaze i ${respond}`
}

function toAdvice({ mode, reader, state }: DisputeFacts): string {
  if (mode === 'test') return 'Ne morate ništa da preduzimate.'
  if (reader !== 'merchant')
    return 'Odgovorite na kontrolnoj tabli platnog sistema. Odluku bilježimo automatski.'
  return state === 'inquiry'
    ? 'Ako kupcu želite da vratite novac, uradite to na portalu.'
    : 'Dok je spor otvoren, ne vraćajte novac sami, na primjer uplatom na račun kupca.'
}

function toTask({ mode, reader, respondByDay }: DisputeFacts): string {
  if (mode === 'test') return ''
  if (reader === 'merchant') return ': odmah pošaljite dokaze'
  return respondByDay === null ? '' : `: rok za odgovor ${respondByDay}`
}

function toTestEffect({ state, reader, amount, wasWithdrawn }: DisputeFacts): string {
  const [favour, them] = reader === 'merchant' ? ['vašu korist', 'vam'] : ['korist prodavca', 'mu']
  if (state === 'lost')
    return 'Testna banka je odlučila u korist kupca. Kod stvarnog plaćanja novac bi bio vraćen kupcu.'
  if (wasWithdrawn === false) return 'Testna banka je zatvorila upit. Ništa nije bilo povučeno.'
  return `Testni spor je završen u ${favour}. Kod stvarnog plaćanja vratilo bi ${them} se ${amount}, ako je taj iznos bio povučen.`
}

function toWonTitle({ reader, wasWithdrawn }: DisputeFacts): string {
  if (wasWithdrawn) return 'Spor je dobijen'
  if (wasWithdrawn === false) return 'Upit banke je zatvoren'
  return `Spor ili upit je završen u ${reader === 'merchant' ? 'vašu korist' : 'korist prodavca'}`
}

function toWonEffect({ reader, amount, wasWithdrawn }: DisputeFacts): string {
  const [favour, them] = reader === 'merchant' ? ['vašu korist', 'vam'] : ['korist prodavca', 'mu']
  if (wasWithdrawn) return `Spor je završen u ${favour}: vraća ${them} se ${amount}.`
  if (wasWithdrawn === false) return 'Banka je zatvorila upit. Ništa nije bilo povučeno.'
  return `Spor ili upit je završen u ${favour}. Ako je zbog spora neki iznos bio povučen, vraća ${them} se.`
}

export const disputeMails: Pick<Catalogue['mail'], 'dispute_opened' | 'dispute_closed'> = {
  dispute_opened: (facts) => {
    const isInquiry = facts.state === 'inquiry'
    const isMerchant = facts.reader === 'merchant'
    const what = isInquiry ? 'Upit banke' : 'Spor'
    const heading = `${what} ${isInquiry ? 'o iznosu od' : 'oko iznosa od'} ${facts.amount}${toTask(facts)}`
    const subject = `${heading} – ${facts.project}`
    const evidence = `Dokazi: ${isInquiry ? 'upit banke o iznosu od' : 'spor oko iznosa od'} ${facts.amount}`
    const contacts = isMerchant ? toEvidenceContact(facts, evidence) : []
    const because = facts.reason ? ` ${facts.reason}` : ''
    return {
      subject: facts.mode === 'test' ? `Test: ${subject}` : subject,
      heading,
      paragraphs: [
        isInquiry
          ? `Banka kupca se raspituje o ovom plaćanju. Novac za sada nije povučen.${because}`
          : facts.mode === 'test'
            ? `Kupac je od svoje banke zatražio povraćaj novca.${because} Kod stvarnog plaćanja iznos bi bio povučen dok banka ne odluči.`
            : `Kupac je od svoje banke zatražio povraćaj novca.${because} Dok banka ne odluči, iznos je povučen i ${isMerchant ? 'vi ga ne možete' : 'prodavac ga ne može'} vratiti kupcu.`,
        isMerchant ? askMerchant(facts) : askOperator(facts),
      ],
      details: toDetailsWithDeadline(facts),
      action: 'Otvori plaćanje',
      advice: toAdvice(facts),
      contacts,
      why: isMerchant ? WHY_PAYMENTS : WHY_OPERATOR,
    }
  },

  dispute_closed: (facts) => {
    const isMerchant = facts.reader === 'merchant'
    const what = facts.state === 'lost' ? 'Spor je izgubljen' : toWonTitle(facts)
    const subject = `${what}: ${facts.amount} – ${facts.project}`
    return {
      subject: facts.mode === 'test' ? `Test: ${subject}` : subject,
      heading: `${what}: ${facts.amount}`,
      paragraphs: [
        facts.mode === 'test'
          ? toTestEffect(facts)
          : facts.state === 'won'
            ? `${toWonEffect(facts)}${facts.wasRefunded ? ` Ono što ${isMerchant ? 'ste već vratili' : 'je već vraćeno'} kupcu ostaje vraćeno.` : ''}`
            : `Banka je odlučila u korist kupca. Novac mu je vraćen${isMerchant ? ', pa ga nemojte vraćati i vi' : ''}. Iznos od ${facts.amount} ostaje povučen.`,
      ],
      details: toDetails(facts),
      action: 'Otvori plaćanje',
      advice: 'Ne morate ništa da preduzimate.',
      why: isMerchant ? WHY_PAYMENTS : WHY_OPERATOR,
    }
  },
}

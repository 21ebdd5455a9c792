import type { Catalogue } from '../catalogue-type.ts'
import { formatNumber } from '../format.ts'
import { plural } from '../plural.ts'
import { WHY_OPERATOR, WHY_PAYMENTS } from './dispute-mails.ts'

const callbacks = (count: number) => {
  const word = plural('cnr', count, { one: 'obavještenje', few: 'obavještenja', other: 'obavještenja' })
  return `${formatNumber('cnr', count)} ${word}`
}

/** `Isporučena su 3 obavještenja koja su čekala.` */
const deliveredAfterWait = (count: number) => {
  const verb = plural('cnr', count, { one: 'Isporučeno je', few: 'Isporučena su', other: 'Isporučeno je' })
  const which = plural('cnr', count, {
    one: 'koje je čekalo',
    few: 'koja su čekala',
    other: 'koja su čekala',
  })
  return `${verb} ${callbacks(count)} ${which}.`
}

/** `Prije toga 3 obavještenja nijesu isporučena i više ih ne šaljemo.` */
const notDelivered = (count: number) => {
  const text = plural('cnr', count, {
    one: 'obavještenje nije isporučeno',
    few: 'obavještenja nijesu isporučena',
    other: 'obavještenja nije isporučeno',
  })
  return `Prije toga ${formatNumber('cnr', count)} ${text} i više ${count === 1 ? 'ga' : 'ih'} ne šaljemo.`
}

const howToResend = (givenUp: number) =>
  givenUp === 1
    ? 'Možete ga ponovo poslati iz dnevnika obavještenja.'
    : 'Možete ih ponovo poslati iz dnevnika obavještenja, jedno po jedno ili sva odjednom.'

const LOOKS_UNPAID =
  'vaš server možda ne zna ishod: narudžba može biti plaćena, a da je prodavnica i dalje vodi kao neplaćenu.'

const OWNER_CLOSED = 'Nalog prodavca je zatvoren, pa ova poruka stiže vama.'
const TO_MERCHANT = 'Prodavac bi dobio ovu poruku:'
const toRedeliver = (count: number) =>
  `Ova komanda pokazuje kako da ponovo pošaljete ${count === 1 ? 'neisporučeno obavještenje' : 'neisporučena obavještenja'}:`
const toRedeliverLater = (count: number) =>
  `Kada server proradi, ponovo pošaljite ${count === 1 ? 'obavještenje' : 'obavještenja'}. Ova komanda pokazuje kako:`

export const deliveryMails: Pick<
  Catalogue['mail'],
  'deliveries_failing' | 'deliveries_exhausted' | 'deliveries_healed'
> = {
  deliveries_failing: ({ isOperator, project, since, count, cause, fix }) =>
    isOperator
      ? {
          subject: `Server prodavca ne prihvata obavještenja: ${project}`,
          heading: 'Server prodavca ne prihvata obavještenja',
          paragraphs: [
            OWNER_CLOSED,
            `${TO_MERCHANT} ${cause} ${fix}`,
            'Oko tri dana pokušavamo da isporučimo svako obavještenje.',
          ],
          details: [
            `Projekat: ${project}`,
            `Isporuka ne uspijeva od: ${since}`,
            `Na čekanju: ${callbacks(count)}`,
          ],
          advice: 'O ovome pišemo najviše jednom dnevno.',
          why: WHY_OPERATOR,
        }
      : {
          subject: `Vaš server ne prihvata obavještenja: ${project}`,
          heading: 'Vaš server ne prihvata obavještenja',
          paragraphs: [
            `${cause} ${fix}`,
            `Dok obavještenja ne stignu, ${LOOKS_UNPAID}`,
            'Oko tri dana pokušavamo da isporučimo svako obavještenje. Čim vaš server prihvati jedno obavještenje, poslaćemo sve što čeka.',
          ],
          details: [
            `Projekat: ${project}`,
            `Isporuka ne uspijeva od: ${since}`,
            `Na čekanju: ${callbacks(count)}`,
          ],
          action: 'Otvori dnevnik obavještenja',
          advice:
            'O ovome pišemo najviše jednom dnevno, i još jednom kada vaš server ponovo počne da prihvata obavještenja.',
          why: WHY_PAYMENTS,
        },

  deliveries_exhausted: ({ isOperator, project, count, cause, fix }) =>
    isOperator
      ? {
          subject: `${count === 1 ? 'Jedno obavještenje nije isporučeno' : 'Obavještenja nijesu isporučena'}: ${project}`,
          heading: count === 1 ? 'Jedno obavještenje nije isporučeno' : 'Obavještenja nijesu isporučena',
          paragraphs: [
            `Novih pokušaja slanja neće biti. To ne utiče na sama plaćanja. ${OWNER_CLOSED}`,
            `${TO_MERCHANT} ${cause} ${fix}`,
          ],
          details: [`Projekat: ${project}`, `Nije isporučeno: ${callbacks(count)}`],
          advice: toRedeliverLater(count),
          command: 'npm run pazar -- redeliver --help',
          why: WHY_OPERATOR,
        }
      : {
          subject: `${count === 1 ? 'Jedno obavještenje nije isporučeno' : 'Obavještenja nijesu isporučena'}: ${project}`,
          heading: count === 1 ? 'Jedno obavještenje nije isporučeno' : 'Obavještenja nijesu isporučena',
          paragraphs: [
            `Novih pokušaja slanja neće biti. To ne utiče na sama plaćanja, ali ${LOOKS_UNPAID}`,
            `${cause} ${fix}`,
            count === 1
              ? 'Kada vaš server proradi, ponovo pošaljite obavještenje iz dnevnika.'
              : 'Kada vaš server proradi, ponovo pošaljite obavještenja iz dnevnika, jedno po jedno ili sva odjednom.',
          ],
          details: [`Projekat: ${project}`, `Nije isporučeno: ${callbacks(count)}`],
          action: 'Otvori dnevnik obavještenja',
          advice: 'O ovome pišemo najviše jednom dnevno.',
          why: WHY_PAYMENTS,
        },

  deliveries_healed: ({ isOperator, project, count, givenUp }) =>
    isOperator
      ? {
          subject: `Server prodavca ponovo prihvata obavještenja: ${project}`,
          heading: 'Server prodavca ponovo prihvata obavještenja',
          paragraphs: [OWNER_CLOSED],
          details: [
            `Projekat: ${project}`,
            ...(count === 0 ? [] : [`Isporučeno: ${callbacks(count)}`]),
            ...(givenUp === 0 ? [] : [`Nije isporučeno: ${callbacks(givenUp)}`]),
          ],
          ...(givenUp === 0
            ? { advice: 'Ne morate ništa da preduzimate.' }
            : { advice: toRedeliver(givenUp), command: 'npm run pazar -- redeliver --help' }),
          why: WHY_OPERATOR,
        }
      : {
          subject: `Vaš server ponovo prihvata obavještenja: ${project}`,
          heading: 'Vaš server ponovo prihvata obavještenja',
          paragraphs: [
            count === 0
              ? 'Vaš server ponovo prihvata obavještenja.'
              : `Vaš server ponovo prihvata obavještenja. ${deliveredAfterWait(count)}`,
            ...(givenUp === 0 ? [] : [`${notDelivered(givenUp)} ${howToResend(givenUp)}`]),
          ],
          details: [
            `Projekat: ${project}`,
            ...(count === 0 ? [] : [`Isporučeno: ${callbacks(count)}`]),
            ...(givenUp === 0 ? [] : [`Nije isporučeno: ${callbacks(givenUp)}`]),
          ],
          action: 'Otvori dnevnik obavještenja',
          advice:
            givenUp === 0
              ? 'Ne morate ništa da preduzimate.'
              : `Dok ponovno slanje ne uspije, ${LOOKS_UNPAID}`,
          why: WHY_PAYMENTS,
        },
}

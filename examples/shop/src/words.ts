// The texts of the shop in both languages.
import type { Locale } from '@pazar/words'
import type { Ending, GoodId } from './goods.ts'
import type { OrderState, ReturnStatus } from './orders.ts'

export interface Words {
  readonly about: string
  readonly testBar: string
  readonly nav: { readonly shop: string; readonly orders: string }
  readonly intro: string
  readonly endings: Readonly<Record<Ending, string>>
  readonly goods: Readonly<Record<GoodId, { readonly name: string; readonly happens: string }>>
  readonly buy: string
  readonly buyAgain: string
  readonly pay: (price: string) => string
  readonly payAgain: (price: string) => string
  readonly backToShop: string
  readonly checkAgain: string
  readonly noOrders: string
  readonly examOrders: string
  readonly notPaidYet: string
  readonly states: Readonly<Record<OrderState, { readonly label: string; readonly meaning: string }>>
  readonly facts: Readonly<
    Record<'order' | 'good' | 'amount' | 'refunded' | 'callback' | 'timing' | 'count' | 'browser', string>
  >
  /** The heading above the facts about the callback and the payer's return. */
  readonly known: string
  readonly notReceived: string
  readonly transaction: string
  readonly failureCode: string
  readonly callbackSaid: Readonly<Record<'success' | 'fail', string>>
  /** Why a payment failed, by failureCode. */
  readonly reasons: ReadonlyMap<string, string>
  readonly cameBefore: (ms: string) => string
  readonly cameAfter: (ms: string) => string
  readonly notReturned: string
  readonly browserSaid: Readonly<Record<ReturnStatus, string>>
  readonly browserNote: string
  readonly notFound: { readonly title: string; readonly text: string }
}

const en: Words = {
  about: 'The sample shop of Pazar',
  testBar: 'Test mode: no real money',
  nav: { shop: 'Shop', orders: 'Orders' },
  intro:
    'In this sample shop the price decides how a payment ends. Pick a result and see the callback that the shop receives.',
  endings: { paid: 'Paid right away', unpaid: 'Not paid', later: 'Result comes later' },
  goods: {
    vase: { name: 'Chipped vase', happens: 'Paid, and disputed by the payer five seconds later.' },
    snail: { name: 'Snail mail', happens: 'In progress for 20 seconds, then paid.' },
    coffee: { name: 'Ground coffee, 1 kg', happens: 'The payment goes through.' },
    padlock: { name: 'Closed padlock', happens: 'The bank declines the payment.' },
    wallet: { name: 'Empty wallet', happens: 'Insufficient funds.' },
    pigeon: {
      name: 'Carrier pigeon',
      happens: 'No response, but charged: the order is paid a little later.',
    },
    bottle: {
      name: 'Message in a bottle',
      happens: 'No response and not charged: the payment fails a little later.',
    },
    piggyBank: { name: 'Piggy bank', happens: 'The bank asks on a page of its own: approve or decline.' },
    jug: { name: 'Cracked jug', happens: 'Charged, but the response is an error: the order is paid anyway.' },
    passport: {
      name: 'Passport cover',
      happens: 'The payment fails: the bank must check the identity first.',
    },
  },
  buy: 'Buy',
  buyAgain: 'Buy again',
  pay: (price) => `Pay ${price}`,
  payAgain: (price) => `Try again: pay ${price}`,
  backToShop: 'Back to the shop',
  checkAgain: 'Check again',
  noOrders: 'No orders yet.',
  examOrders: 'Orders of the exam',
  notPaidYet: 'Waiting for payment',
  states: {
    waiting: {
      label: 'Waiting for the callback',
      meaning: 'The shop sends the goods only after a verified callback says that the order is paid.',
    },
    paid: { label: 'Paid', meaning: 'The verified callback says so: the goods may be sent.' },
    partlyRefunded: {
      label: 'Partly refunded',
      meaning: 'A verified callback says that part of the money was returned to the payer.',
    },
    refunded: {
      label: 'Refunded',
      meaning:
        'Verified callbacks say that all of the money was returned to the payer: the goods must not be sent.',
    },
    failed: { label: 'Payment failed', meaning: 'The verified callback says that nothing was paid.' },
  },
  facts: {
    order: 'Order',
    good: 'Goods',
    amount: 'Amount',
    refunded: 'Refunded so far',
    callback: 'Verified callback',
    timing: 'Received at',
    count: 'Callbacks received',
    browser: 'What the browser said',
  },
  known: 'What the shop knows',
  notReceived: 'Not received yet',
  transaction: 'Transaction',
  failureCode: 'Reason code',
  callbackSaid: { success: 'Payment successful', fail: 'Payment failed' },
  reasons: new Map([
    ['declined', 'the bank declined it'],
    ['insufficient_funds', 'insufficient funds'],
    ['kyc_required', 'an identity check is needed'],
    ['not_charged', 'the bank did not charge it'],
    ['cancelled', 'it was cancelled'],
    ['expired', 'it was not finished in time'],
  ]),
  cameBefore: (ms) => `${ms} ms before the payer returned`,
  cameAfter: (ms) => `${ms} ms after the payer returned`,
  notReturned: 'The payer has not returned yet',
  browserSaid: {
    success: 'Successful',
    fail: 'Failed',
    cancel: 'Cancelled',
    pending: 'Pending',
    unknown: 'Nothing known',
  },
  browserNote: 'This proves nothing: anyone can open the return address.',
  notFound: { title: 'Not found', text: 'The shop has no such page or order.' },
}

const cnr: Words = {
  about: 'Probna prodavnica uz Pazar',
  testBar: 'Testni režim: novac se ne naplaćuje',
  nav: { shop: 'Prodavnica', orders: 'Narudžbe' },
  intro:
    'U ovoj probnoj prodavnici cijena određuje kako se plaćanje završava. Izaberite ishod i pogledajte šta prodavnica sazna.',
  endings: { paid: 'Odmah plaćeno', unpaid: 'Nije plaćeno', later: 'Ishod stiže kasnije' },
  goods: {
    vase: { name: 'Okrnjena vaza', happens: 'Plaćeno, a kupac pet sekundi kasnije osporava plaćanje.' },
    snail: { name: 'Puževa pošta', happens: 'U toku je 20 sekundi, a zatim je plaćeno.' },
    coffee: { name: 'Mljevena kafa, 1 kg', happens: 'Plaćanje uspijeva.' },
    padlock: { name: 'Zaključan katanac', happens: 'Banka odbija plaćanje.' },
    wallet: { name: 'Prazan novčanik', happens: 'Nedovoljno sredstava na računu.' },
    pigeon: {
      name: 'Golub pismonoša',
      happens: 'Nema odgovora, ali je naplaćeno: narudžba je plaćena malo kasnije.',
    },
    bottle: {
      name: 'Poruka u boci',
      happens: 'Nema odgovora i nije naplaćeno: plaćanje malo kasnije ne uspijeva.',
    },
    piggyBank: { name: 'Kasica prasica', happens: 'Banka pita na svojoj stranici: odobrite ili odbijte.' },
    jug: { name: 'Napukao krčag', happens: 'Naplaćeno, a onda greška umjesto odgovora: ipak je plaćeno.' },
    passport: {
      name: 'Futrola za pasoš',
      happens: 'Plaćanje ne uspijeva: banka prvo mora da provjeri identitet.',
    },
  },
  buy: 'Kupi',
  buyAgain: 'Kupi ponovo',
  pay: (price) => `Plati ${price}`,
  payAgain: (price) => `Pokušaj ponovo: plati ${price}`,
  backToShop: 'Nazad u prodavnicu',
  checkAgain: 'Provjeri ponovo',
  noOrders: 'Još nema narudžbi.',
  examOrders: 'Narudžbe iz ispita',
  notPaidYet: 'Čeka plaćanje',
  states: {
    waiting: {
      label: 'Čeka se obavještenje',
      meaning: 'Prodavnica šalje robu tek kada provjereno obavještenje (callback) potvrdi da je plaćeno.',
    },
    paid: { label: 'Plaćeno', meaning: 'Tako kaže provjereno obavještenje: roba se može poslati.' },
    partlyRefunded: {
      label: 'Djelimično vraćeno',
      meaning: 'Provjereno obavještenje kaže da je dio novca vraćen kupcu.',
    },
    refunded: {
      label: 'Vraćeno',
      meaning: 'Provjerena obavještenja kažu da je sav novac vraćen kupcu: roba se ne smije poslati.',
    },
    failed: {
      label: 'Plaćanje nije uspjelo',
      meaning: 'Provjereno obavještenje kaže da ništa nije plaćeno.',
    },
  },
  facts: {
    order: 'Narudžba',
    good: 'Roba',
    amount: 'Iznos',
    refunded: 'Do sada vraćeno',
    callback: 'Provjereno obavještenje',
    timing: 'Vrijeme prijema',
    count: 'Primljeno obavještenja',
    browser: 'Šta je rekao pregledač',
  },
  known: 'Šta prodavnica zna',
  notReceived: 'Još nije stiglo',
  transaction: 'Transakcija',
  failureCode: 'Kod razloga',
  callbackSaid: { success: 'Plaćanje je uspjelo', fail: 'Plaćanje nije uspjelo' },
  reasons: new Map([
    ['declined', 'banka ga je odbila'],
    ['insufficient_funds', 'nema dovoljno sredstava na računu'],
    ['kyc_required', 'potrebna je provjera identiteta'],
    ['not_charged', 'banka ga nije naplatila'],
    ['cancelled', 'otkazano je'],
    ['expired', 'nije završeno na vrijeme'],
  ]),
  cameBefore: (ms) => `${ms} ms prije povratka kupca`,
  cameAfter: (ms) => `${ms} ms poslije povratka kupca`,
  notReturned: 'Kupac se još nije vratio',
  browserSaid: {
    success: 'Uspješno',
    fail: 'Neuspješno',
    cancel: 'Otkazano',
    pending: 'Na čekanju',
    unknown: 'Nepoznato',
  },
  browserNote: 'To ništa ne dokazuje: povratnu adresu može da otvori svako.',
  notFound: { title: 'Nije pronađeno', text: 'Prodavnica nema takvu stranicu ni narudžbu.' },
}

export const words: Readonly<Record<Locale, Words>> = { en, cnr }

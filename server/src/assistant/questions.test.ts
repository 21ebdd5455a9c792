// Questions of merchants and the page that answers each. What we promise is tested with the first table: in each language,
// the right page comes first for at least nine of ten questions. The other tables show that this holds for others too.
// Long: most of it is tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptAnswer } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { fold } from '../docs/fold.ts'

const service = await startTestService()
const owner = await signUp(service.app)

/** If two pages have the answer, both are listed. */
type Table = readonly (readonly [question: string, pages: string])[]

const LISTED_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I check that a callback really came from you?', 'callbacks'],
    ['What unit is the amount in, cents or euros?', 'pay-links'],
    ['How often do you retry when my server is down?', 'callbacks'],
    ['How can I find out whether order 123 was paid?', 'status-check'],
    ['Can I print a QR code for my shop window?', 'qr'],
    ['Which amount makes a payment fail in the sandbox?', 'test-mode'],
    ['What does custom_id_conflict mean?', 'errors'],
    ['My server runs on localhost, how do I receive callbacks?', 'cli'],
    ['What happens to old links when I rotate the secret?', 'security'],
    ['What should I check before I take real money?', 'go-live'],
  ],
  cnr: [
    ['Kako da provjerim da je obavještenje zaista stiglo od vas?', 'callbacks'],
    ['U kojoj jedinici je iznos, u centima ili eurima?', 'pay-links'],
    ['Koliko puta pokušavate ponovo ako moj server ne radi?', 'callbacks'],
    ['Kako da saznam da li je narudžba 123 plaćena?', 'status-check'],
    ['Mogu li da odštampam QR kod za izlog?', 'qr'],
    ['Koji iznos u testu dovodi do odbijenog plaćanja?', 'test-mode'],
    ['Šta znači greška custom_id_conflict?', 'errors'],
    ['Prodavnica mi je na localhost, kako da primam obavještenja?', 'cli'],
    ['Šta se dešava sa starim linkovima kada zamijenim ključ?', 'security'],
    ['Šta treba da provjerim prije prvog pravog plaćanja?', 'go-live'],
  ],
}

const SECOND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I keep the raw body in Express?', 'sdk'],
    ['Does my shop refuse forged callbacks?', 'exam'],
    ['Why do I get too_many when I add a project?', 'errors'],
    ['How is the sig parameter of a link computed?', 'pay-links'],
    ['I need a sample in PHP to verify the webhook signature', 'callbacks'],
    ['Getting invalid_hash from checkStatus', 'status-check'],
    ['Where do I start?', 'quickstart'],
    ['How do I make an API token only read?', 'security'],
    ['Can a code be SVG instead of PNG?', 'qr'],
    ['How do I pay with a declined card in test?', 'test-mode'],
  ],
  cnr: [
    ['Kako da u Expressu sačuvam sirovo tijelo?', 'sdk'],
    ['Da li moja prodavnica odbija lažna obavještenja?', 'exam'],
    ['Zašto dobijam too_many kad pravim projekat?', 'errors'],
    ['Kako se računa sig u linku?', 'pay-links'],
    ['Treba mi primjer u PHP-u za provjeru potpisa', 'callbacks'],
    ['checkStatus vraća invalid_hash', 'status-check'],
    ['Odakle da počnem?', 'quickstart'],
    ['Kako da napravim API token koji samo čita?', 'security'],
    ['Može li kod biti SVG umjesto PNG?', 'qr'],
    ['Kako da isprobam odbijenu karticu?', 'test-mode'],
  ],
}

/** Written before the ranking was tuned, half of them by two developers who had integrated with these pages only. */
const FRESH_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['npm install says 404 for @pazar/sdk, where do I get it?', 'quickstart sdk cli'],
    ['I use PHP and have no Node, how do callbacks reach my computer?', 'cli'],
    ['May I ship the goods when the status check says true but no callback came?', 'status-check'],
    ['How do I sign up for an account?', 'quickstart'],
    ['What status should I answer for an order I do not know?', 'callbacks'],
    ['Why did I get the same callback two times?', 'callbacks'],
    ['Can I take the exam on localhost with curl?', 'exam'],
    ['How do I sign a payment link in Python?', 'pay-links'],
    ['Where does the customer land after paying?', 'pay-links'],
    ['Does a token that only reads make pay links?', 'security'],
    ['How long is a pay link valid, can it expire?', 'pay-links questions'],
    ['How do I try the page of the bank?', 'test-mode'],
    ['Which headers come with the callback?', 'callbacks'],
    ['How many requests per minute may I send?', 'errors'],
    ['The pay page says Sandbox, is it real money?', 'go-live'],
    ['My key leaked to GitHub, what now?', 'security'],
    ['How do I get a list of all payments through the API?', 'reference'],
    ['What size should a printed code have?', 'qr'],
    ['Which Node version does the library need?', 'sdk'],
    ['Can I send a delivered callback again?', 'callbacks cli questions errors'],
  ],
  cnr: [
    ['npm kaže 404 za @pazar/cli, odakle da ga preuzmem?', 'quickstart sdk cli'],
    ['Pišem u Pythonu i nemam Node, kako da dobijem obavještenja na svoj računar?', 'cli'],
    ['Smijem li poslati robu ako provjera statusa vrati true, a obavještenje nije stiglo?', 'status-check'],
    ['Gdje se registrujem?', 'quickstart'],
    ['Šta da odgovorim za narudžbu koju nemam u bazi?', 'callbacks'],
    ['Zašto mi je isto obavještenje stiglo dvaput?', 'callbacks'],
    ['Kako da položim ispit bez CLI-ja?', 'exam'],
    ['Kako da potpišem link u PHP-u?', 'pay-links'],
    ['Na koju stranicu se kupac vraća poslije plaćanja?', 'pay-links'],
    ['Da li mi za pravljenje linka treba token za izmjene?', 'security'],
    ['Kako da link važi samo jedan dan?', 'pay-links'],
    ['Kako da isprobam stranicu banke?', 'test-mode'],
    ['Koja zaglavlja stižu uz obavještenje?', 'callbacks'],
    ['Koliko zahtjeva u minuti smijem da pošaljem?', 'errors'],
    ['Na stranici piše Sandbox, šta to znači?', 'go-live'],
    ['Ključ mi je procurio, šta da radim?', 'security'],
    ['Kako preko API-ja da dobijem spisak plaćanja?', 'reference'],
    ['Koliko velik treba da bude odštampani kod?', 'qr'],
    ['Koja verzija Node-a je potrebna za SDK?', 'sdk'],
    ['Kako da ponovo pošaljem već isporučeno obavještenje?', 'callbacks cli questions errors'],
  ],
}

/**
 * From a developer who integrated in plain Ruby with these pages only. At that time the pages did not answer these
 * questions; now they do.
 */
const RUBY_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I refund a payment?', 'refunds'],
    ['I have no Node, only Ruby; how do I get callbacks on my laptop?', 'cli'],
    ['What mode does pay-link use by default?', 'pay-links'],
    ['Which failureCode values are there?', 'callbacks'],
    ['Does a test callback go to the test URL or the listener?', 'test-mode'],
    ['When is an identity check needed?', 'errors'],
    ['What are the fees and when do I get my money?', 'go-live questions'],
    ['Can a QR code expire?', 'qr'],
    ['Does the exam place real orders?', 'exam'],
    ['From which IP addresses do callbacks come?', 'security'],
  ],
  cnr: [
    ['Kako da vratim novac kupcu?', 'refunds'],
    ['Nemam Node, samo Ruby; kako da primam obavještenja na laptopu?', 'cli'],
    ['Koji režim pay-link koristi podrazumijevano?', 'pay-links'],
    ['Koje vrijednosti može imati failureCode?', 'callbacks'],
    ['Da li testno obavještenje ide na URL za testna obavještenja ili programu koji sluša?', 'test-mode'],
    ['Kada je potrebna provjera identiteta?', 'errors'],
    ['Kolika je provizija i kada dobijam novac?', 'go-live questions'],
    ['Može li QR kod da istekne?', 'qr'],
    ['Da li ispit pravi prave narudžbe?', 'exam'],
    ['Sa kojih IP adresa stižu obavještenja?', 'security'],
  ],
}

/** Written by somebody who had not seen the pages; the right pages were chosen before the search was tried. */
const BLIND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I verify the signature on the callback?', 'callbacks sdk'],
    ['my server was down, will you send the callback again?', 'callbacks'],
    ['how many times is a callback retried and how long between attempts', 'callbacks'],
    ['change signing secret without downtime', 'security'],
    ['difference between return url and callback url', 'pay-links callbacks questions'],
    ['can I trust the return to my shop page as proof of payment', 'pay-links security callbacks'],
    ['partial refund', 'refunds'],
    ['customer opened a dispute, what should I do now?', 'refunds'],
    ['install javascript sdk npm', 'sdk quickstart'],
    ['test card that gets declined', 'test-mode'],
    ['How do I switch from test mode to live?', 'go-live'],
    ['check payment status from my backend', 'status-check sdk reference'],
    ['Can I print a QR code and put it on the counter?', 'qr'],
    ["lost my phone, can't sign in with two factor", 'security'],
    ['invite my accountant with read only access', 'security questions'],
    ['webhok delivery log where to see response code', 'callbacks reference questions'],
    ['same order paid twice, how do I prevent duplicates', 'questions pay-links'],
    ['rate limit of the API, 429', 'errors'],
    ['I have no server yet, where can I see test callbacks', 'test-mode quickstart'],
    ['how to revoke a leaked api token', 'security'],
  ],
  cnr: [
    ['Kako da vratim novac kupcu?', 'refunds'],
    ['kada mi stize novac na racun u banci', 'questions go-live'],
    ['Koliko košta usluga, kolika je provizija?', 'questions go-live'],
    ['kako promijeniti logo i boje na stranici za placanje', 'questions'],
    ['mjesecni izvod skinuti u csv', 'statement'],
    ['Zaboravio sam lozinku, kako da uđem u nalog?', 'questions'],
    ['kako da dodam radnika da vidi uplate ali da ne moze da vraca novac', 'security questions'],
    ['u kojoj valuti mogu da naplaćujem, samo euro?', 'questions'],
    ['link za plaćanje poslati kupcu preko vibera', 'questions'],
    ['koliko dugo važi link za plaćanje', 'questions pay-links'],
    ['ispit integracije sta se provjerava', 'exam'],
    ['potpis se ne poklapa greska', 'callbacks cli errors pay-links'],
    ['kupac kaze da je platio a kod mene pise da nije', 'status-check questions'],
    ['komandna linija instalacija', 'cli'],
    ['Kako da ukljucim prijavu u dva koraka?', 'security'],
    ['tok događaja kako čitati nove događaje od posljednjeg', 'events cli reference'],
    ['kako da registrujem novi projekt i sta mi treba za to', 'quickstart reference questions'],
    ['da li Pazar čuva brojeve kartica mojih kupaca', 'questions go-live'],
    ['callback adresa na localhost dok razvijam', 'cli quickstart errors'],
    ['kupac je odustao od placanja sta se onda desava sa narudzbnom', 'questions'],
  ],
}

/** As the table before, written by somebody else after it. Many mix English words into Montenegrin or leave out diacritics. */
const SECOND_BLIND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I create my first pay link with the API?', 'pay-links quickstart'],
    ['verify callback signature php', 'callbacks'],
    [
      'What happens if my server is down when you send the callback? Do you retry, and for how long?',
      'callbacks',
    ],
    ['Can the same callback arrive twice, and how should I make my handler idempotent?', 'callbacks'],
    ['test card numbers for declined payment', 'test-mode'],
    [
      'The customer closed the browser tab after paying and I never got a redirect. How do I find out whether the order is paid?',
      'status-check',
    ],
    ['How do I do a partial refund, and can I refund the same payment more than once?', 'refunds'],
    ['A cardholder opened a dispute. Where do I see it and how long do I have to send evidence?', 'refunds'],
    ['Is there a Python SDK and how do I install it?', 'sdk quickstart'],
    ['rotate secret key without downtime', 'security'],
    [
      'I keep getting 401 invalid signature although my key is correct, what should I check?',
      'status-check callbacks errors cli',
    ],
    ['What do I need to switch from test mode to live?', 'go-live'],
    ['How can I receive callbacks on localhost while developing?', 'cli'],
    ['rate limits and 429', 'errors'],
    [
      'Can I give my accountant read-only access to the portal without letting her make refunds?',
      'security questions',
    ],
    [
      'Does using the hosted checkout mean card data never touches our server, and which PCI SAQ do we fill out?',
      'questions security',
    ],
    [
      "What's the minimum and maximum amount for one payment, and are amounts sent in cents or as decimals?",
      'pay-links questions',
    ],
    ['how to set expiry time on payment link and cancel it early', 'questions pay-links'],
    [
      'If my create payment request times out, is it safe to send it again or will the customer be charged twice?',
      'questions security',
    ],
    ['Can I generate a QR code as SVG for printing on an invoice?', 'qr'],
  ],
  cnr: [
    ['kolika je provizija po transakciji', 'questions go-live'],
    ['Kad mi novac od uplata liježe na račun u banci?', 'questions go-live'],
    ['kako da promijenim jezik stranice za plaćanje na crnogorski', 'questions pay-links'],
    ['Gdje mogu da preuzmem mjesečni izvod za knjigovođu i u kom je formatu?', 'statement'],
    ['callback ne stize na moj server sta da provjerim', 'callbacks'],
    ['Da li imate plugin za WooCommerce ili moram sam da pišem integraciju?', 'questions'],
    ['instalacija CLI na windows', 'cli'],
    ['Koji sve statusi plaćanja postoje i koji su konačni?', 'questions'],
    ['da li mogu povuci refundaciju koju sam greskom pokrenuo', 'refunds'],
    ['Sa kojih IP adresa šaljete obavještenja, treba mi zbog firewalla?', 'security'],
    ['kako da provjerim potpis u C# / .NET', 'callbacks'],
    ['Slučajno smo tajni ključ stavili na javni GitHub, šta sad da radimo?', 'security'],
    ['kako da pozovem kolegu u tim i koje uloge postoje', 'security questions'],
    [
      'Kupac kaže da mu je skinut novac sa kartice, a kod nas narudžba stoji kao neplaćena. Kako da to riješimo?',
      'status-check questions',
    ],
    ['dvofaktorska autentifikacija izgubio telefon', 'security'],
    ['Može li isti QR kod da se koristi više puta, npr. nalijepljen na kasi u prodavnici?', 'qr'],
    ['Koliko brzo moj server mora da odgovori na callback i koji HTTP kod treba da vrati?', 'callbacks'],
    ['podrzane valute osim eura', 'questions'],
    ['Kako u tesnom režimu da simuliram neuspjelo plaćanje i povraćaj novca?', 'test-mode refunds'],
    ['node.js sdk primjer provjera statusa plaćnja', 'sdk status-check'],
  ],
}

/** The same by a third person. */
const THIRD_BLIND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I build a signed pay link on my server?', 'pay-links'],
    ['verify callback signature python', 'callbacks'],
    ['invalid signature error when I open the pay link', 'errors pay-links'],
    ['customer paid but my server never got the callback', 'callbacks status-check'],
    ['how many times is a callback retried and with what delay', 'callbacks'],
    ['rotate signing secret without downtime', 'security'],
    ['test callbacks on localhost', 'cli'],
    ['What amounts do I use in the sandbox to simulate a declined payment?', 'test-mode'],
    [
      'is it safe to mark the order as paid when the browser comes back to the return url?',
      'pay-links questions',
    ],
    ['partial refund', 'refunds'],
    ['A customer opened a chargeback, what happens now and do I get notified?', 'refunds'],
    ['list events api pagination cursor, catch up on missed webhooks', 'events'],
    ['webhook deliverd twice, how to avoid fulfilling the order two times', 'callbacks'],
    ['typescript sdk install and first payment', 'sdk quickstart'],
    ['can a pay link expire after 30 minutes', 'pay-links questions'],
    ['invite my accountant with read only access', 'security questions'],
    ['what are the 12 checks of the integration exam', 'exam'],
    ['create API token and limit its permissions', 'security'],
    ['put my logo and colors on the checkout page', 'questions'],
    ['same customId used for two payments, what happens', 'errors questions pay-links'],
  ],
  cnr: [
    ['Kako da provjerim da li je narudžba plaćena sa svog servera?', 'status-check'],
    ['qr kod za placanje na racunu', 'qr'],
    ['mjesečni izvod za knjigovođu', 'statement'],
    ['gdje da nadjem tajni kljuc za test i za live', 'questions quickstart test-mode'],
    [
      'Kako da registrujem novi projekat i šta upisujem u povratnu adresu i callback adresu?',
      'questions quickstart',
    ],
    ['php primjer potpisivanja linka', 'pay-links'],
    ['kako ponovo poslati callback koji nije prosao', 'questions callbacks cli'],
    ['Šta sve treba da uradim prije nego što pređem sa testa na prave uplate?', 'go-live'],
    ['kupac nije dobio potvrdu na mejl', 'questions'],
    ['pretplata na dogadjaje webhook endpoint', 'events'],
    ['izgubio sam telefon sa 2fa, kako da se prijavim', 'security'],
    ['Gdje mogu da vidim testne callback poruke ako još nemam svoj server?', 'test-mode'],
    ['spisak kodova gresaka', 'errors'],
    ['u kom formatu se šalje iznos, centi ili decimalni zarez', 'pay-links'],
    ['tajni kljuc je procurio na github sta da radim', 'security'],
    [
      'kada kupac klikne Plati ide li na stranicu banke ili ostaje kod vas, i vidite li broj kartice',
      'questions',
    ],
    ['instalacija CLI alata i prijava', 'cli'],
    ['kako vratiti novac kupcu', 'refunds'],
    ['webhook timestamp prestar, potpis se ne poklapa u c# jer je body vec parsiran', 'callbacks cli'],
    ['moj server vraca 302 na calback, da li se to racuna kao uspjeh', 'callbacks'],
  ],
}

/**
 * By a fourth person, but its pages were chosen after a first run (17 and 18 of 20 were right), and the guide then listed
 * questions like those that it missed. So it shows that nothing gets worse, not how well the search does with new questions.
 */
const FOURTH_BLIND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['signature mismatch when opening the payment link, what exactly do I sign?', 'pay-links errors'],
    ['make a payment link stop working after 24 hours', 'pay-links questions'],
    [
      'customer closed the browser before coming back to my site, how do I know if he paid',
      'status-check pay-links questions',
    ],
    ['verify webhook python example', 'callbacks'],
    ['my server was down for two hours, will the notifications come again?', 'callbacks'],
    ['same order got two webhooks, how to avoid shipping twice', 'callbacks'],
    ['forward callbacks to localhost', 'cli quickstart'],
    ['which amount do I use in sandbox to simulate a declined payment', 'test-mode'],
    ['how do I swap the signing key without downtime', 'security'],
    ['express typescript quick start npm install', 'sdk quickstart'],
    ['Can I give money back for only part of an order?', 'refunds'],
    ["buyer's bank opened a chargeback, what do I get notified about", 'refunds'],
    ['poll for everything that happened since yesterday instead of webhooks', 'events'],
    ['what do I have to pass before I can take real money', 'exam go-live'],
    ['invite my accountant read only acess', 'security questions'],
    ['put our logo and colors on the checkout page', 'questions'],
    ['print a code customers can scan at the counter to pay', 'qr'],
    ['lost my phone with the authenticator app, cant log in to the portal', 'security'],
    ['java hmac sample for checking order state', 'status-check'],
    ['should the amount be in cents or 12.50, and which currency', 'pay-links'],
  ],
  cnr: [
    ['Kako da prvi put povežem svoju prodavnicu, odakle da počnem?', 'quickstart'],
    ['gdje da nadjem tajni kljuc za testiranje', 'questions quickstart test-mode'],
    ['php primjer linka za placanje', 'pay-links'],
    ['Može li isti broj narudžbe da se plati dva puta?', 'questions pay-links'],
    ['izvjestaj za knjigovodju na kraju mjeseca', 'statement'],
    [
      'U mjesečnom izvodu mi se ne slaže zbir sa onim što je leglo na račun, kako se računaju vraćene uplate?',
      'statement',
    ],
    ['kupac trazi potvrdu da je platio na mejl', 'questions'],
    ['nije stigao webhook, gdje vidim šta se desilo i kako da ga ponovo pošaljem', 'callbacks questions'],
    ['nemam jos server, moze li negdje da vidim kako izgleda probno obavjestenje', 'test-mode'],
    ['Kako da biram za šta mi šaljete obavještenja, ne treba mi sve', 'refunds events questions'],
    ['spisak gresaka i sta znace', 'errors'],
    ['Šta kupac tačno vidi kad otvori link i na kojoj stranici unosi broj kartice?', 'questions'],
    ['token za api iz github actions', 'security cli'],
    ['prijava otiskom prsta umjesto lozinke', 'security'],
    ['Procurio nam je tajni ključ na GitHub, šta odmah da uradimo?', 'security'],
    ['pao sam na jednoj provjeri prije pustanja u rad, sta sad', 'exam'],
    ['C# provjera potpisa webhoka, stalno dobijam nevažeći potpis', 'callbacks'],
    ['kad predjem sa testa na pravo, sta sve treba da promijenim u kodu', 'go-live test-mode'],
    ['smijem li da vjerujem podacima u adresi kad se kupac vrati na sajt', 'pay-links questions security'],
    ['koliko dugo moj server ima da odgovori na obavještenje i šta treba da vrati', 'callbacks'],
  ],
}

/**
 * By a fifth person. In a first run 19 and 16 of 20 were right. Then the search learned more Montenegrin words and the guide
 * got the sections that were missing, so this table too shows only that nothing gets worse.
 */
const FIFTH_BLIND_QUESTIONS: Readonly<Record<Locale, Table>> = {
  en: [
    ['How do I build and sign a pay link on my server?', 'pay-links'],
    ['callback signature verification fails in php', 'callbacks'],
    ['can I trust the browser return to mark the order as paid', 'pay-links'],
    ['retry schedule for failed webhooks, how many attempts', 'callbacks'],
    ['rotate signing secret without downtime', 'security'],
    ['my server got the same callback twice', 'callbacks'],
    ['receive callbacks on localhost while developing', 'cli'],
    ['sandbox amount to simulate a declined payment', 'test-mode'],
    ['What are the 12 checks I need to pass before going live?', 'exam'],
    ['pay link expired, how to set longer expiry', 'pay-links questions errors'],
    ['check order status from server if callback never arrived', 'status-check'],
    ['typescript sdk instal', 'sdk'],
    ['where do I find the monthly statement for bookkeeping and what columns does it have', 'statement'],
    ['give my colleague access to the project but read only', 'security questions'],
    ['customer disputed a card payment, what happens now', 'refunds'],
    ['print QR code for payment on invoice', 'qr'],
    ['put our logo and colors on the checkout page', 'questions'],
    ['create API token and revoke it when leaked', 'security'],
    ['list events api pagination cursor, catch up after outage', 'events'],
    ['invalid signature error when opening the pay link', 'pay-links errors'],
  ],
  cnr: [
    ['Kako da registrujem novi projekat na portalu?', 'questions'],
    ['razlika izmedju testnog i live kljuca', 'test-mode questions'],
    ['Kako vratiti novac kupcu, djelimičan povraćaj', 'refunds'],
    ['kako ponovo poslati callback koji nije stigao', 'questions'],
    ['gdje mogu vidjeti testne callbackove ako jos nemam server', 'test-mode'],
    ['Na koje vrste obavještenja projekat može da se pretplati?', 'questions refunds'],
    ['kupac trazi potvrdu o placanju na mejl', 'questions'],
    ['Prijava pristupnim ključem (passkey) umjesto lozinke', 'security'],
    ['izgubio sam telefon sa 2fa kako da udjem u nalog', 'security'],
    ['primjer koda python provjera potpisa', 'callbacks'],
    ['u kom formatu se šalje iznos, centi ili eura sa decimalama', 'pay-links'],
    ['sta je customId i mora li biti jedinstven', 'pay-links'],
    ['Spisak svih kodova grešaka i šta znače', 'errors'],
    ['kupac je dvaput kliknuo plati hoce li biti naplacen dva puta', 'questions'],
    ['Kako preći iz testnog režima na pravo naplaćivanje?', 'go-live'],
    ['povezivanje stripe naloga ili banke za isplatu novca', 'go-live questions'],
    ['Koliko brzo moj server mora da odgovori na callback i kojim statusom?', 'callbacks'],
    ['sta kupac vidi kad otvori link za placanje', 'questions'],
    ['curl bash primjer potpisivanje linka bez sdka', 'pay-links'],
    ['zaglavlja webhook-id webhook-timestamp, zaštita od replay napda', 'callbacks'],
  ],
}

/** Questions that no page answers, although some page has many of their words. */
const UNANSWERED_QUESTIONS: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'Where is the best pizza in Podgorica?',
    'How do I build a website?',
    'What interchange fee does Visa charge in Serbia?',
    'How do Mastercard refunds work for airline tickets?',
    'Which WordPress theme is good for recipes?',
    'Which database should I learn first?',
    'What is the capital of Montenegro?',
    'Can you translate this text to German?',
    'Do you support bitcoin?',
    'How many users does Facebook have?',
  ],
  cnr: [
    'Gdje je najbolja pica u Podgorici?',
    'kako da napravim veb-sajt',
    'Kolika je međubankarska naknada za Visa kartice u Srbiji?',
    'Kako Mastercard vraća novac za avionske karte?',
    'Koja je WordPress tema dobra za recepte?',
    'Koju bazu podataka da učim prvo?',
    'Koji je glavni grad Crne Gore?',
    'Možeš li prevesti ovaj tekst na njemački?',
    'Da li podržavate bitkoin?',
    'Koliko korisnika ima Facebook?',
  ],
}

async function ask(prompt: string, locale: Locale): Promise<PromptAnswer> {
  const answer = await owner.post('/sdk/ai/prompt', { prompt, locale })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<PromptAnswer>()
}

async function findFirstPage(prompt: string, locale: Locale): Promise<string> {
  const { sources } = await ask(prompt, locale)
  return /\/docs\/([a-z-]+)/.exec(sources[0]?.url ?? '')?.[1] ?? ''
}

async function findMisses(table: Table, locale: Locale): Promise<string[]> {
  const misses: string[] = []
  for (const [question, pages] of table) {
    const found = await findFirstPage(question, locale)
    if (!pages.split(' ').includes(found)) misses.push(`${question} → ${found} instead of ${pages}`)
  }
  return misses
}

const TABLES = [
  { name: 'that the promise is about', tables: LISTED_QUESTIONS, missesMax: 1 },
  { name: 'of the second list', tables: SECOND_QUESTIONS, missesMax: 1 },
  // This table has twice as many questions, and they are harder.
  { name: 'from before the ranking was tuned', tables: FRESH_QUESTIONS, missesMax: 3 },
  { name: 'of the Ruby developer', tables: RUBY_QUESTIONS, missesMax: 0 },
  { name: 'of somebody who had not seen the pages', tables: BLIND_QUESTIONS, missesMax: 2 },
  { name: 'of a second person who had not', tables: SECOND_BLIND_QUESTIONS, missesMax: 1 },
  { name: 'of a third person who had not', tables: THIRD_BLIND_QUESTIONS, missesMax: 1 },
  { name: 'of a fourth person who had not', tables: FOURTH_BLIND_QUESTIONS, missesMax: 1 },
  { name: 'of a fifth person who had not', tables: FIFTH_BLIND_QUESTIONS, missesMax: 1 },
] as const

for (const locale of ['en', 'cnr'] as const) {
  for (const { name, tables, missesMax } of TABLES) {
    test(`${locale}: the right page is first for all but at most ${missesMax} questions ${name}`, async (t) => {
      const table = tables[locale]
      const misses = await findMisses(table, locale)
      for (const miss of misses) t.diagnostic(miss)
      assert.ok(table.length >= 10)
      assert.ok(misses.length <= missesMax, misses.join('\n'))
    })
  }
}

for (const locale of ['en', 'cnr'] as const) {
  const { nothing, from } = catalogue(locale).assistant

  test(`${locale}: a question that no page answers never gets a section as its answer, whatever words it shares with them`, async () => {
    const replies = await Promise.all(UNANSWERED_QUESTIONS[locale].map((question) => ask(question, locale)))
    const answered = replies.filter(({ answer }) => answer.startsWith(from('').slice(0, 5)))
    assert.deepEqual(answered, [])
    // A section that shares a few words is quoted as the closest one. For many of these questions there is no such section.
    const nothingFound = replies.filter(({ answer }) => answer === nothing)
    assert.ok(nothingFound.length >= replies.length / 3, `${nothingFound.length} of ${replies.length}`)
    // With "nothing found", only the list of pages is named, because a single page would look like an answer.
    for (const { sources } of nothingFound) assert.match(sources[0]?.url ?? '', /\/docs$/)
  })

  test(`${locale}: at most one in twenty questions that a page answers gets "nothing found"`, async (t) => {
    const questions = TABLES.flatMap(({ tables }) => tables[locale].map(([question]) => question))
    const refused: string[] = []
    for (const question of questions)
      if ((await ask(question, locale)).answer === nothing) refused.push(question)
    for (const question of refused) t.diagnostic(question)
    for (const [question] of RUBY_QUESTIONS[locale]) assert.ok(!refused.includes(question), question)
    assert.ok(refused.length <= questions.length / 20, refused.join('\n'))
  })
}

test('questions typed without č, ć, š, ž and đ find their pages too', async () => {
  const foldedQuestions = LISTED_QUESTIONS.cnr.map(([question, page]) => [fold(question), page] as const)
  const misses = await findMisses(foldedQuestions, 'cnr')
  assert.ok(misses.length <= 1, misses.join('\n'))
})

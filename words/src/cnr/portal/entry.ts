import { PASSWORD_MIN } from '@pazar/contract/limits'
import type { Catalogue } from '../../catalogue-type.ts'

export const entry: Catalogue['portal']['entry'] = {
  email: 'E-pošta',
  password: 'Lozinka',
  newPassword: 'Nova lozinka',
  showPassword: 'Prikaži lozinku',
  hidePassword: 'Sakrij lozinku',
  passwordHint: `Najmanje ${PASSWORD_MIN} znakova. Nekoliko riječi zaredom lako se pamti, a teško pogađa.`,
  signIn: {
    title: 'Prijava',
    submit: 'Prijavi se',
    passkey: 'Prijavi se pristupnim ključem',
    forgot: 'Zaboravili ste lozinku?',
    noAccount: 'Još nemate nalog?',
    create: 'Registracija',
  },
  signUp: {
    title: 'Registracija',
    text: 'U testnom režimu sve možete odmah isprobati. Stvarni novac se ne naplaćuje dok ne pređete u stvarni režim.',
    submit: 'Registruj se',
    haveAccount: 'Već imate nalog?',
    toSignIn: 'Prijava',
    closed: 'Otvaranje novih naloga trenutno nije moguće.',
  },
  forgot: {
    title: 'Zaboravljena lozinka',
    text: 'Unesite adresu e-pošte svog naloga i poslaćemo vam link za izbor nove lozinke.',
    submit: 'Pošalji link',
    sentTitle: 'Provjerite svoju e-poštu',
    sentText: (email) =>
      `Ako postoji nalog sa adresom ${email}, na nju smo poslali link. Link se može upotrijebiti jednom, u roku od jednog sata.`,
    notArrived:
      'Poruka nije stigla ni poslije nekoliko minuta? Pogledajte neželjenu poštu ili pošaljite link ponovo.',
    otherEmail: 'Pošalji ponovo ili na drugu adresu',
    back: 'Nazad na prijavu',
  },
  reset: {
    title: 'Izaberite novu lozinku',
    tokensWarning:
      'Nova lozinka vas odjavljuje sa svih uređaja i opoziva sve API tokene. Programi koji ih koriste gube pristup.',
    submit: 'Sačuvaj lozinku',
    doneTitle: 'Lozinka je promijenjena',
    doneText: 'Prijavite se njom. Ako su vaši programi koristili API tokene, kreirajte nove.',
    overText:
      'Već je iskorišćen ili je istekao. Ako ste izabrali novu lozinku, pokušajte da se prijavite njom. U suprotnom zatražite novi link.',
    noTokenTitle: 'Ovaj link nije potpun',
    noToken: 'Otvorite ga ponovo iz poruke ili zatražite novi.',
    askAgain: 'Zatraži novi link',
  },
  confirmEmail: {
    title: 'Potvrda adrese e-pošte',
    working: 'Potvrđujemo vašu adresu e-pošte…',
    doneTitle: 'Vaša adresa e-pošte je potvrđena',
    overTitle: 'Ovaj link više ne važi',
    overText:
      'Već je iskorišćen ili je istekao. Ako je adresa potvrđena, ne morate ništa da radite. U suprotnom zatražite novi link na stranici Nalog.',
    toAccount: 'Idi na nalog',
    goOn: 'Idi na projekte',
  },
}

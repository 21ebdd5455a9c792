import type { Catalogue } from '../../en.ts'

export const members: Catalogue['portal']['members'] = {
  title: 'Članovi',
  intro: 'Svako radi sa svojim nalogom i jednom ulogom. Lozinku ne mora da dijeli niko.',
  you: 'vi',
  invited: 'Poziv poslat',
  columns: { person: 'Osoba', role: 'Uloga', since: 'Od', action: 'Radnja' },
  roles: {
    owner: 'Vlasnik',
    admin: 'Administrator',
    developer: 'Programer',
    finance: 'Finansije',
    support: 'Podrška',
  },
  may: {
    owner: 'Sve.',
    admin: 'Sve osim arhiviranja i brisanja projekta.',
    developer:
      'Čita plaćanja i isporuke, isprobava integraciju, ponovo šalje obavještenja, pravi linkove za plaćanje, mijenja naziv, vremensku zonu, izgled stranice za plaćanje, testnu adresu i testni ključ.',
    finance: 'Čita sve, vraća novac, preuzima mjesečne preglede i CSV datoteke.',
    support:
      'Čita plaćanja i isporuke, ponovo šalje obavještenja, pravi linkove za plaćanje i isprobava integraciju.',
  },
  invite: {
    title: 'Pozovite osobu',
    email: 'E-pošta',
    role: 'Uloga',
    submit: 'Pošalji poziv',
    sent: 'Poziv je poslat. Važi sedam dana.',
  },
  roleOf: (email) => `Uloga za ${email}`,
  roleSaved: 'Uloga je promijenjena.',
  remove: 'Ukloni',
  cancel: 'Otkaži poziv',
  removeDialog: {
    title: 'Ukloniti ovu osobu?',
    text: (email) =>
      `${email} odmah gubi pristup, u svakoj otvorenoj kartici. API tokeni te osobe za ovaj projekat prestaju da rade.`,
    knowsSecret:
      'Ova osoba je vidjela stvarni ključ koji se koristi. Zamijenite ga odmah poslije uklanjanja.',
    toKeys: 'Zamijeni ključ',
    submit: 'Ukloni osobu',
    done: 'Osoba više nema pristup.',
  },
  cancelDialog: {
    title: 'Otkazati ovaj poziv?',
    text: (email) => `Link poslat na ${email} prestaje da radi.`,
    submit: 'Otkaži poziv',
    done: 'Poziv je otkazan.',
  },
  leave: {
    title: 'Napuštanje projekta',
    text: 'Odmah gubite pristup. Da biste se vratili, potreban vam je novi poziv.',
    submit: 'Napusti projekat',
    dialogTitle: 'Napustiti ovaj projekat?',
    done: 'Napustili ste projekat.',
  },
  mails: {
    title: 'Poruke za vas',
    text: 'O čemu vam pišemo u vezi sa ovim projektom.',
    topics: {
      failures: 'Obavještenja koja ne stižu',
      disputes: 'Sporovi',
      security: 'Bezbjednost: ključevi, adrese i članovi',
    },
    saved: 'Izbor poruka je sačuvan.',
  },
  shared: 'Podijeljeno sa vama',
  invitation: {
    title: 'Poziv u projekat',
    text: 'Prijavite se nalogom sa adresom na koju je stigao poziv, ili otvorite nalog.',
    signedInAs: (email) => `Prijavljeni ste kao ${email}.`,
    accept: 'Prihvati poziv',
    create: 'Otvori nalog',
    signIn: 'Već imam nalog',
    over: 'Ovaj poziv je već iskorišćen, otkazan ili je istekao. Zatražite novi.',
    toProjects: 'Idi na projekte',
  },
}

import type { Catalogue } from '../../catalogue-type.ts'

export const members: Catalogue['portal']['members'] = {
  title: 'Članovi',
  intro: 'Svako koristi svoj nalog i ima jednu ulogu. Niko ne mora da dijeli lozinku.',
  you: 'vi',
  invited: 'Poziv poslat',
  columns: { person: 'Osoba', role: 'Uloga', since: 'Dodato', action: 'Radnja' },
  roles: {
    owner: 'Vlasnik',
    admin: 'Administrator',
    developer: 'Programer',
    finance: 'Finansije',
    support: 'Podrška',
  },
  may: {
    owner: 'Sve.',
    admin: 'Sve osim arhiviranja, brisanja i prenosa projekta.',
    developer:
      'Isprobava i održava integraciju, čita plaćanja, ponovo šalje obavještenja, pravi linkove za plaćanje, mijenja naziv projekta i izgled stranice za plaćanje. Ne vidi stvarni ključ, ne vraća novac i ne upravlja članovima.',
    finance: 'Čita plaćanja i obavještenja, vraća novac, preuzima mjesečne preglede i CSV datoteke.',
    support:
      'Čita plaćanja i obavještenja, ponovo šalje obavještenja, pravi linkove za plaćanje i isprobava integraciju.',
  },
  invite: {
    title: 'Pozovite osobu',
    email: 'E-pošta',
    role: 'Uloga',
    submit: 'Pošalji poziv',
    sent: 'Poziv je poslat. Važi sedam dana.',
    transferEnded: 'Prenos ponuđen toj adresi je otkazan.',
  },
  roleOf: (email) => `Uloga za ${email}`,
  roleSaved: 'Uloga je promijenjena.',
  remove: 'Ukloni',
  cancel: 'Povuci',
  sendAgain: 'Pošalji ponovo',
  removeDialog: {
    title: 'Ukloniti ovu osobu?',
    text: (email) =>
      `${email} odmah gubi pristup, i na već otvorenim stranicama. API tokeni te osobe za ovaj projekat prestaju da rade. Prestaju da važe i pozivi koje je poslala i prenos projekta na nju, a pripremljeni ključ se odbacuje.`,
    knowsSecret:
      'Ova osoba je možda vidjela stvarni ključ koji se koristi. Zamijenite ga odmah poslije uklanjanja.',
    toKeys: 'Zamijeni ključ',
    submit: 'Ukloni osobu',
    done: 'Osoba više nema pristup.',
  },
  cancelDialog: {
    title: 'Povući ovaj poziv?',
    text: (email) => `Link poslat na ${email} prestaje da radi. Prenos ponuđen toj adresi se otkazuje.`,
    submit: 'Povuci poziv',
    done: 'Poziv je povučen.',
  },
  leave: {
    title: 'Napuštanje projekta',
    text: 'Odmah gubite pristup. Vaši API tokeni za ovaj projekat prestaju da rade. Prestaju da važe i pozivi koje ste poslali, a pripremljeni ključ se odbacuje. Da biste se vratili, potreban vam je novi poziv.',
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
  transfer: {
    title: 'Prenos vlasništva',
    text: 'Vlasnik postaje druga osoba: neko od članova ili neko koga ste pozvali.',
    nobody: 'Pozovite osobu koja treba da postane vlasnik; zatim joj možete prenijeti projekat.',
    to: 'Novi vlasnik',
    choose: 'Izaberite osobu',
    offer: 'Prenesi projekat…',
    offered: 'Projekat je ponuđen. Pisali smo objema stranama.',
    offerDialog: {
      title: 'Prenijeti ovaj projekat?',
      text: (email) =>
        `${email} može prihvatiti u roku od sedam dana. Projekat mijenja vlasnika 24 sata nakon prihvatanja. Do tada obje strane mogu otkazati.`,
      invited: 'Ta osoba prvo mora da prihvati poziv u projekat. Do tada ponuda važi samo koliko i poziv.',
      consequences: {
        role: 'Postajete administrator projekta. Novi vlasnik vas može ukloniti.',
        secret:
          'Kada se vlasnik promijeni, stvarni tajni ključ se zamjenjuje, a stari odmah prestaje da radi. Prestaju da rade i linkovi za plaćanje potpisani starim ključem, a server prodavca ne može da provjeri stvarna obavještenja dok ne dobije novi ključ.',
        tokens: 'Svi API tokeni ograničeni na ovaj projekat i vaši tokeni za sve projekte prestaju da rade.',
        payments:
          'Plaćanja se nastavljaju. Ako se za stvarna plaćanja traži provjeren identitet, mora ga imati i novi vlasnik. Plaćanja, povraćaji i mjesečni pregledi ostaju uz projekat.',
      },
      submit: 'Ponudi projekat',
    },
    toOther: {
      offered: (email, when) =>
        `Ponudili ste projekat nalogu ${email}. Ponuda se može prihvatiti do ${when}.`,
      accepted: (email, when) =>
        `Prenos je prihvaćen: ${email} postaje vlasnik nakon ${when}. Vi postajete administrator, a stvarni tajni ključ se zamjenjuje.`,
    },
    toYou: {
      offered: (email, when) =>
        `Vlasnik želi da ovaj projekat prenese vama (${email}). Možete prihvatiti do ${when}.`,
      accepted: (email, when) =>
        `Vi (${email}) postajete vlasnik nakon ${when}. Tada upišite novi stvarni ključ na server prodavca.`,
    },
    accept: 'Prihvati vlasništvo',
    decline: 'Odbij',
    cancel: 'Otkaži prenos',
    accepted: 'Prihvaćeno. Projekat postaje vaš za 24 sata.',
    cancelled: 'Prenos je otkazan.',
    acceptDialog: {
      title: 'Postati vlasnik ovog projekta?',
      text: 'Prenos stupa na snagu nakon 24 sata. Do tada ga obje strane mogu otkazati.',
      consequences: {
        limit:
          'Projekat se računa u vaše ograničenje od pet projekata. Ako se za stvarna plaćanja traži provjeren identitet, vaš mora biti provjeren.',
        secret:
          'Stvarni tajni ključ se zamjenjuje. Odmah upišite novi na server prodavca: dotle server ne može da provjeri stvarna obavještenja.',
        tokens: 'Svi API tokeni ograničeni na ovaj projekat prestaju da rade.',
        former: 'Dosadašnji vlasnik ostaje kao administrator. Možete ga ukloniti.',
      },
    },
  },
  invitation: {
    title: 'Poziv u projekat',
    join: (project) => `Pridružite se projektu ${project}`,
    facts: {
      project: 'Projekat',
      role: 'Vaša uloga',
      invitedBy: 'Poziva vas',
      email: 'Poslato na',
      expiresAt: 'Važi do',
      expiredAt: 'Istekao',
    },
    text: (email) => `Da biste prihvatili poziv, treba vam nalog sa adresom ${email}.`,
    accept: 'Prihvati poziv',
    later: 'Ne sada',
    create: 'Registruj se',
    signIn: 'Već imam nalog',
    toProjects: 'Idi na projekte',
    other: {
      title: 'Ovaj poziv je za drugu adresu',
      text: (email, own) =>
        `Poslat je na ${email}. Prijavljeni ste kao ${own}, pa ga ovim nalogom ne možete prihvatiti.`,
      switch: 'Prijavi se drugim nalogom',
    },
    accepted: {
      title: 'Ovaj poziv je već prihvaćen',
      text: 'Projekat je na spisku projekata u nalogu kojim je poziv prihvaćen.',
    },
    expired: {
      title: 'Ovaj poziv je istekao',
      text: (sender) =>
        sender === null
          ? 'Novi poziv zatražite od osobe koja vas je pozvala.'
          : `Novi poziv zatražite od pošiljaoca: ${sender}.`,
      ask: 'Zatraži novi poziv',
    },
    ended: {
      title: 'Ovaj poziv više ne važi',
      text: 'Povučen je ili ga je zamijenio noviji. Potražite noviju poruku ili pitajte pošiljaoca.',
    },
    unknown: {
      title: 'Link poziva nije ispravan',
      text: 'Otvorite link iz poruke još jednom. Ako ni tada ne radi, zatražite novi poziv od pošiljaoca.',
    },
    incomplete: {
      title: 'Ovaj link nije potpun',
      text: 'Otvorite ga iz poruke još jednom ili zatražite novi poziv od pošiljaoca.',
    },
  },
}

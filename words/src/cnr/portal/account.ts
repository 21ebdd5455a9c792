import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../catalogue-type.ts'

export const account: Catalogue['portal']['account'] = {
  title: 'Nalog',
  purpose: 'Vaš jezik, vremenska zona, adresa e-pošte i lozinka.',
  tabs: {
    general: 'Opšte',
    security: 'Bezbjednost',
    sessions: 'Sesije',
    tokens: 'API tokeni',
    audit: 'Aktivnosti',
  },
  appearance: 'Jezik i izgled',
  timeZone: 'Vremenska zona',
  timeZoneHint:
    'Po ovoj zoni prikazujemo vrijeme i dane u spiskovima, pokazateljima i njihovim izvozima. Mjesečni pregled koristi zonu projekta.',
  email: {
    title: 'E-pošta',
    current: (email) => `Trenutna: ${email}`,
    confirmed: 'Potvrđena',
    unconfirmed: 'Još nije potvrđena',
    sendAgain: 'Ponovo pošalji link za potvrdu',
    sentAgain: (email) => `Poslali smo novi link na ${email}. Otvorite ga da potvrdite adresu.`,
    field: 'Nova adresa e-pošte',
    submit: 'Promijeni adresu',
    sent: 'Poslali smo link na novu adresu. Adresa e-pošte se mijenja kada ga otvorite.',
  },
  password: {
    title: 'Lozinka',
    submit: 'Promijeni lozinku',
    done: 'Lozinka je promijenjena. Ostali uređaji su odjavljeni.',
    doneWithTokens: 'Lozinka je promijenjena. Ostali uređaji su odjavljeni, a svi API tokeni su opozvani.',
    unknownOutcome:
      'Odgovor nije stigao, pa je lozinka možda već promijenjena. Ako sada treba da unesete lozinku, pokušajte prvo sa novom, pa sa starom.',
    revokeTokens: (n) => `Opozovi i API tokene (${formatNumber('cnr', n)})`,
    revokeTokensHint:
      'Izaberite ovo ako neko drugi možda zna staru lozinku. Programi koji koriste token odmah gube pristup.',
  },
  close: {
    title: 'Zatvaranje naloga',
    text: 'Brišu se vaša adresa e-pošte, lozinka, sesije, tokeni i lični podaci o aktivnostima, kao i projekti bez stvarnih plaćanja. Projekti sa stvarnim plaćanjima se arhiviraju, a podaci o tim plaćanjima se čuvaju: iznosi, stanja, reference, brojevi narudžbi, opisi, povraćaji i sporovi. Prestaje i vaše članstvo u tuđim projektima. To se ne može poništiti.',
    submit: 'Zatvori nalog',
    dialogTitle: 'Zatvoriti vaš nalog?',
    dialogText:
      'Linkovi i odštampani QR kodovi svih vaših projekata odmah prestaju da primaju uplate. Ni vi ni članovi više nemate pristup tim projektima: povraćaji, mjesečni pregledi i izvozi preko portala više nijesu mogući. Ako neko treba da nastavi rad, prvo mu prenesite projekat i sačekajte da postane vlasnik, 24 sata nakon prihvatanja.',
    emailField: 'Adresa e-pošte naloga',
    typeEmail: (email) => `Za potvrdu unesite: ${email}`,
  },
  sessions: {
    title: 'Gdje ste prijavljeni',
    purpose: 'Pregledajte sve uređaje prijavljene na vaš nalog i odjavite one koje ne prepoznajete.',
    this: 'Ovaj uređaj',
    lastSeen: 'Posljednja aktivnost',
    since: 'Prijava',
    end: 'Odjavi',
    endAll: 'Odjavi sve ostale',
    ended: (n) =>
      `${plural('cnr', n, { one: 'Prekinuta je', few: 'Prekinute su', other: 'Prekinuto je' })} ${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'sesija', few: 'sesije', other: 'sesija' })}.`,
    only: 'Prijavljeni ste samo na ovom uređaju.',
  },
  tokens: {
    text: 'Za CLI i vaše skripte. Tokenom se ne može prikazati stvarni tajni ključ niti promijeniti vaš nalog.',
    add: 'Novi token',
    emptyTitle: 'Još nema tokena',
    emptyText: 'Potreban vam je za komandnu liniju ili za skriptu koja čita plaćanja.',
    columns: {
      name: 'Naziv',
      scope: 'Dozvole',
      lastUsed: 'Posljednja upotreba',
      expires: 'Ističe',
      action: 'Radnja',
    },
    scopes: {
      read: 'Samo čitanje (read)',
      write: 'Čitanje i izmjene (write)',
      refund: 'Čitanje i povraćaji (refund)',
    },
    neverUsed: 'Nije korišćen',
    expired: 'Istekao',
    form: {
      title: 'Novi API token',
      name: 'Naziv',
      nameHint: 'Gdje ćete ga koristiti, na primjer „Kasa 1“ ili „noćni izvještaj“.',
      scope: 'Dozvole',
      scopeHints: {
        read: 'Čita projekte, plaćanja i obavještenja, pravi testne linkove za plaćanje i prati nova obavještenja.',
        write:
          'Čita projekte, plaćanja i obavještenja, prati nova obavještenja, pravi testne i stvarne linkove za plaćanje, kreira i mijenja projekte, ponovo šalje obavještenja, šalje testna obavještenja i pokreće ispit.',
        refund:
          'Uz čitanje, vraća novac za plaćanja jednog projekta, do dnevnog ograničenja. Kada se izvrši prvi povraćaj u danu, šaljemo vam poruku.',
      },
      project: 'Projekat',
      dailyCap: (currency) => `Najveći dnevni iznos povraćaja (${currency})`,
      dailyCapHint: 'Najviše što se ovim tokenom može vratiti za dan (UTC), zajedno sa testnim povraćajima',
      dailyCapWrong: (max) => `Unesite iznos veći od nule, najviše ${max}.`,
      allProjects: 'Svi projekti',
      chooseProject: 'Izaberite projekat',
      dailyCapIs: (amount) => `najviše ${amount} dnevno (UTC)`,
      days: 'Ističe poslije',
      daysCount: (n) =>
        `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'dan', few: 'dana', other: 'dana' })}`,
      submit: 'Kreiraj token',
    },
    fresh: {
      title: 'Ovo je vaš token',
      text: 'Kopirajte ga odmah: ne može se prikazati ponovo. Ako ga izgubite, opozovite ga i kreirajte novi.',
      value: 'Vaš token',
      close: 'Sačuvano, zatvori',
    },
    revoke: 'Opozovi',
    revokeDialog: {
      title: 'Opozvati ovaj token?',
      text: (name) => `Programi koji koriste token „${name}“ odmah gube pristup. Ovo se ne može poništiti.`,
      submit: 'Opozovi token',
    },
    revoked: 'Token je opozvan.',
  },
  audit: {
    title: 'Aktivnosti',
    text: 'Šta se dešavalo na vašem nalogu i odakle.',
    empty: 'Još nema aktivnosti.',
    emptyText: 'Ovdje se pojavljuju prijave, izmjene podešavanja i upotreba ključeva.',
    topic: 'Prikaži',
    topics: {
      all: 'Sve aktivnosti',
      payments: 'Plaćanja i povraćaji',
      projects: 'Sve u projektima',
      account: 'Nalog i prijave',
    },
    emptyTopic: 'Takvih aktivnosti na vašem nalogu nije bilo.',
    more: 'Prikaži starije',
    columns: {
      time: 'Vrijeme',
      action: 'Radnja',
      project: 'Projekat',
      ip: 'IP adresa',
      browser: 'Pregledač',
    },
  },
}

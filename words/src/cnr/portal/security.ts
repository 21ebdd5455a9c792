import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../catalogue-type.ts'

export const security: Catalogue['portal']['security'] = {
  title: 'Bezbjednost',
  purpose:
    'Kako potvrđujete da ste to vi: pristupni ključevi, aplikacija za potvrdu identiteta i rezervni kodovi.',
  removal: {
    title: 'Dvostruka provjera vašeg naloga biće uklonjena',
    text: (when) =>
      `Operateru je javljeno da ste ostali bez pristupnih ključeva, aplikacije i rezervnih kodova. Poslije ${when} za prijavu će biti dovoljna samo lozinka. Ako to nijeste tražili, otkažite uklanjanje, promijenite lozinku (Nalog, Opšte) i obratite se operateru.`,
    cancel: 'Otkaži uklanjanje',
    cancelled: 'Uklanjanje je otkazano. Dvostruka provjera ostaje.',
  },
  summary: {
    title: 'Koliko je ovaj nalog bezbjedan?',
    levels: {
      weak: 'Štiti ga samo lozinka',
      fair: 'Zaštićen je, ali nije sve završeno',
      strong: 'Dobro je zaštićen',
    },
    weakText: 'Ko sazna lozinku, može da uđe. Dodajte pristupni ključ ili aplikaciju za potvrdu identiteta.',
    fairText: (n) =>
      `Sama ukradena lozinka nikome nije dovoljna za prijavu. ${plural('cnr', n, { one: 'Ostala je još', few: 'Ostale su još', other: 'Ostalo je još' })} ${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'stavka', few: 'stavke', other: 'stavki' })}.`,
    strongText:
      'Sama ukradena lozinka nikome nije dovoljna za prijavu, a možete se prijaviti i kada izgubite uređaj.',
    fix: { add: 'Dodaj', email: 'Potvrdi je' },
    factor: { yes: 'Dvostruka provjera je uključena', no: 'Nema dvostruke provjere' },
    codes: (n) => `Preostali rezervni kodovi: ${formatNumber('cnr', n)}`,
    email: { yes: 'Adresa e-pošte je potvrđena', no: 'Adresa e-pošte nije potvrđena' },
    spare: {
      yes: 'Podešeno je više pristupnih ključeva, ili pristupni ključ i aplikacija',
      no: 'Podešen je samo jedan pristupni ključ ili samo aplikacija; dodajte i drugi način',
    },
  },
  password: {
    text: 'Nova lozinka odjavljuje sve ostale uređaje. Istovremeno možete opozvati i API tokene.',
  },
  sessions: {
    title: 'Sesije',
    text: 'Gdje ste sada prijavljeni.',
    count: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'sesija', few: 'sesije', other: 'sesija' })}`,
    open: 'Prikaži sesije',
  },
  devices: {
    title: 'Poznati pregledači',
    text: 'Pregledači iz kojih ste se već prijavljivali. Iz njih se možete prijaviti i kada neko drugi više puta unese pogrešnu lozinku, a o tim prijavama ne šaljemo poruke.',
    count: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'pregledač', few: 'pregledača', other: 'pregledača' })}`,
    forget: 'Zaboravi sve ostale',
    forgotten: (n) =>
      `${plural('cnr', n, { one: 'Zaboravljen je', few: 'Zaboravljena su', other: 'Zaboravljeno je' })} ${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'pregledač', few: 'pregledača', other: 'pregledača' })}.`,
  },
  tokens: {
    title: 'API tokeni',
    text: 'Programi koji rade u ime vašeg naloga.',
    count: (n) =>
      `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'API token', few: 'API tokena', other: 'API tokena' })}`,
    open: 'Prikaži tokene',
  },
  passkeys: {
    title: 'Pristupni ključevi',
    text: 'Prijavite se otiskom prsta, licem ili PIN-om umjesto lozinkom. Pristupni ključ se ne može pogoditi ni upisati na pogrešan sajt.',
    unavailable: 'Za pristupne ključeve potreban je domen, a ovaj servis radi na IP adresi.',
    empty: 'Još nema pristupnih ključeva.',
    add: 'Dodaj pristupni ključ',
    added: 'Pristupni ključ je dodat.',
    addTitle: 'Novi pristupni ključ',
    name: 'Naziv',
    nameHint: 'Na primjer, naziv uređaja na kojem se nalazi.',
    submit: 'Nastavi na ovom uređaju',
    failed:
      'Pristupni ključ nije napravljen. Vaš uređaj možda ne podržava pristupne ključeve ili je njegov ključ već dodat.',
    lastUsed: 'Posljednja upotreba',
    neverUsed: 'Još nije korišćen',
    created: 'Dodat',
    rename: 'Preimenuj',
    renameTitle: 'Novi naziv pristupnog ključa',
    renamed: 'Pristupni ključ je preimenovan.',
    remove: 'Ukloni',
    removeTitle: 'Ukloniti ovaj pristupni ključ?',
    removeText: (name) =>
      `Prijava pristupnim ključem „${name}“ više neće biti moguća. Obrišite ga i na uređaju. Ako nemate drugi pristupni ključ ni aplikaciju za potvrdu identiteta, za prijavu će biti dovoljna samo lozinka, a rezervni kodovi se brišu.`,
    removeSubmit: 'Ukloni pristupni ključ',
    removed: 'Pristupni ključ je uklonjen.',
  },
  app: {
    title: 'Aplikacija za potvrdu identiteta',
    text: 'Aplikacija na vašem telefonu prikazuje novi kod svakih 30 sekundi. Za prijavu su tada potrebni lozinka i kod.',
    on: 'Uključena',
    off: 'Isključena',
    since: 'Od',
    add: 'Podesi aplikaciju',
    replace: 'Premjesti na drugi telefon',
    remove: 'Ukloni aplikaciju',
    removed: 'Aplikacija je uklonjena.',
    removeTitle: 'Ukloniti aplikaciju za potvrdu identiteta?',
    removeText:
      'Ako nemate pristupni ključ, za prijavu će biti dovoljna samo lozinka, a rezervni kodovi se brišu.',
    setUp: {
      title: 'Podešavanje aplikacije za potvrdu identiteta',
      scan: 'Skenirajte ovo aplikacijom ili u nju upišite ključ za podešavanje. Zatim unesite kod koji aplikacija prikazuje.',
      onPhone:
        'Otvorite ključ za podešavanje u aplikaciji za potvrdu identiteta ili ga kopirajte u nju. Zatim unesite šest cifara koje aplikacija prikazuje.',
      otherDevice: 'Aplikacija je na drugom uređaju? Skenirajte njome ovaj QR kod.',
      openApp: 'Otvori u aplikaciji',
      qrAlt: 'QR kod za aplikaciju',
      secret: 'Ključ za podešavanje',
      code: 'Kod iz aplikacije',
      ended:
        'Ovo podešavanje više ne važi. Zatvorite prozor da vidite da li je aplikacija uključena. Ako jeste, napravite nove rezervne kodove; ako nije, počnite ponovo.',
      submit: 'Uključi',
    },
  },
  codes: {
    title: 'Rezervni kodovi',
    text: `Za slučaj da ostanete bez telefona. Kada se iskoristi rezervni kod, naredna ${RECOVERY_WAIT_HOURS} sata stvarni tajni ključevi se ne mogu prikazati ni zamijeniti, a povraćaji preko portala nijesu mogući. Ne možete ni da kreirate API tokene ni da promijenite adresu e-pošte, a nijesu moguće ni neke druge radnje.`,
    none: 'Dobijate ih kada dodate prvi pristupni ključ ili podesite aplikaciju za potvrdu identiteta.',
    left: (n) =>
      `${plural('cnr', n, { one: 'Preostao je', few: 'Preostala su', other: 'Preostalo je' })} ${n} ${plural('cnr', n, { one: 'kod', few: 'koda', other: 'kodova' })}.`,
    renew: 'Napravi nove kodove',
    fresh: {
      title: 'Vaši rezervni kodovi',
      text: 'Odštampajte ih ili sačuvajte u menadžeru lozinki, a ne na telefonu sa aplikacijom. Ne mogu se prikazati ponovo. Raniji kodovi više ne važe.',
      list: 'Rezervni kodovi',
      close: 'Sačuvano, zatvori',
    },
  },
}

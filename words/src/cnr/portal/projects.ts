import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract/limits'
import { formatNumber } from '../../format.ts'
import type { Catalogue } from '../../catalogue-type.ts'

export const projects: Catalogue['portal']['projects'] = {
  list: {
    title: 'Projekti',
    purpose:
      'Svaki sajt ili aplikacija preko koje naplaćujete je projekat, sa svojim ključevima i podešavanjima.',
    add: 'Novi projekat',
    used: (n, limit) => `Vaši projekti: ${formatNumber('cnr', n)} od ${formatNumber('cnr', limit)}`,
    full: `Dostigli ste ograničenje od ${PROJECTS_PER_ACCOUNT_MAX} projekata. Arhivirajte neki da oslobodite mjesto.`,
    toArchive: 'Izaberi projekat za arhiviranje',
    archived: 'Arhiviran',
    showArchived: 'Arhivirani projekti',
    id: 'ID projekta',
    created: 'Kreiran',
    today: 'Danas, stvarni režim',
    noneToday: 'Danas nema završenih stvarnih plaćanja',
    rate: (percent) => `${percent} uspješnih`,
    lastCallback: 'Posljednje obavještenje',
    emptyTitle: 'Kreirajte prvi projekat',
    emptyText:
      'Potreban vam je samo naziv koji kupci poznaju. Dok vaš server ne bude spreman, možete koristiti naše stranice: rezultati testnih plaćanja stižu u prijemno sanduče projekta.',
  },
  form: {
    name: 'Naziv projekta',
    nameMissing: 'Unesite naziv projekta.',
    nameHint: 'Kupci ga vide na stranici za plaćanje.',
    more: 'Više mogućnosti',
    moreText: 'URL za testna obavještenja, događaji, vremenska zona',
    resultUrl: 'URL za povratak',
    resultUrlHint: 'Stranica na koju se kupac vraća poslije plaćanja.',
    resultUrlLocal:
      'Dovoljno za probu. Kada projekat bude kreiran, ovdje se može sačuvati samo javna https adresa.',
    apiUrl: 'URL za obavještenja',
    apiUrlHint:
      'Javna https adresa vašeg servera. Narudžbe isporučujte na osnovu obavještenja koja na nju stignu.',
    apiUrlInbox:
      'Sada je to prijemno sanduče projekta. Zamijenite ga prije stvarnih plaćanja: sanduče je samo za probu.',
    ownPages: 'Koristi Pazarove stranice dok moj server ne bude spreman',
    ownPagesHint:
      'Za sada vam ne trebaju adrese: kupci vide našu stranicu sa potvrdom, a testna obavještenja čitate u prijemnom sandučetu projekta. Za stvarna plaćanja potreban je URL za obavještenja na vašem serveru.',
    ownUrlsHint: 'Kupci se vraćaju na vašu stranicu, a obavještenja prima vaš server.',
    testApiUrl: 'URL za testna obavještenja (nije obavezno)',
    testApiUrlHint:
      'Ako je prazno, testna obavještenja idu alatu za komandnu liniju (CLI, komanda listen), a kada CLI ne radi, na URL za obavještenja.',
    toListen: 'Kako testna obavještenja stižu na vaš računar',
    timeZone: 'Vremenska zona',
    timeZoneHint: 'Po njoj se računaju dani mjesečnog pregleda. Postojeće stavke zadržavaju svoj dan.',
    signed: 'Prihvati samo potpisane linkove',
    signedHint:
      'Preporučeno: niko ne može promijeniti iznos u linku. Isključite samo za linkove koje ne potpisujete, na primjer na plakatu.',
  },
  add: {
    title: 'Novi projekat',
    text: 'Sve ovo možete izmijeniti kasnije.',
    submit: 'Kreiraj projekat',
    archive: 'Arhiviraj…',
  },
  overview: {
    title: 'Pregled',
    purpose: 'Šta treba da provjerite, kako teku plaćanja i šta se posljednje dogodilo.',
    purposeNew: 'Koraci do prvog stvarnog plaćanja.',
    firstSteps: 'Prvi koraci',
    stepsDone: (n, total) => `završeno ${formatNumber('cnr', n)} od ${formatNumber('cnr', total)}`,
    steps: {
      project: 'Projekat je kreiran',
      payment: 'Izvršite testno plaćanje',
      callback: 'Primite testno obavještenje',
      urls: 'Unesite svoje adrese',
      signature: 'Upotrijebite tajni ključ na svom serveru',
      signatureHint: 'Provjerite status sa svog servera ili položite ispit.',
      live: 'Prvo stvarno plaćanje',
    },
    done: 'završeno',
    notYet: 'još nije',
    open: 'Otvori',
    stepActions: {
      payment: 'Plati',
      callback: 'Pošalji',
      signature: 'Otvori ispit',
      urls: 'Unesi',
      live: 'Ključevi',
    },
    seeCode: 'Vidi kod',
    quick: 'Brzi pristup',
    sampleLink: (amount) => `Testni link za plaćanje: ${amount}`,
    testCallback: 'Testno obavještenje',
    openLink: 'Otvori stranicu za plaćanje',
    lastTransactions: 'Posljednja plaćanja',
    lastDeliveries: 'Posljednja obavještenja',
    all: 'Sve',
    archivedTitle: 'Ovaj projekat je arhiviran',
    archivedText: 'Njegovi linkovi ne primaju uplate. Vlasnik ga može vratiti u podešavanjima.',
    kycTitle: 'Potrebna je provjera identiteta',
    kycText:
      'Stvarna plaćanja su moguća tek kada je provjeren identitet vlasnika projekta. U testnom režimu već možete sve da isprobate.',
    ownPagesTitle: 'Ovaj projekat još koristi naše stranice',
    ownPagesText:
      'Za probu je to dovoljno. Prije stvarnih plaćanja treba unijeti URL za obavještenja na vašem serveru i adresu stranice na koju se kupci vraćaju.',
    toUrls: 'Unesi adrese',
    support: 'Obrati se operateru',
  },
}

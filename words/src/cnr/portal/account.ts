import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../en.ts'

export const account: Catalogue['portal']['account'] = {
  title: 'Nalog',
  tabs: { general: 'Opšte', sessions: 'Sesije', audit: 'Aktivnosti' },
  look: 'Jezik i izgled',
  timeZone: 'Vremenska zona',
  timeZoneHint: 'Dani u listama i izvozima su dani ove zone.',
  email: {
    title: 'E-pošta',
    current: (email) => `Trenutna: ${email}`,
    confirmed: 'potvrđena',
    unconfirmed: 'još nije potvrđena',
    field: 'Nova e-pošta',
    submit: 'Izmijeni e-poštu',
    sent: 'Poslali smo link na novu adresu. E-pošta se mijenja kada ga otvorite.',
  },
  password: {
    title: 'Lozinka',
    submit: 'Promijeni lozinku',
    done: 'Lozinka je promijenjena. Ostali uređaji su odjavljeni.',
  },
  sessions: {
    title: 'Gdje ste prijavljeni',
    this: 'Ovaj uređaj',
    lastSeen: 'Posljednja aktivnost',
    since: 'Od',
    end: 'Odjavi',
    endAll: 'Odjavi sve ostale',
    ended: (n) =>
      `${plural('cnr', n, { one: 'Prekinuta je', few: 'Prekinute su', other: 'Prekinuto je' })} ${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'sesija', few: 'sesije', other: 'sesija' })}.`,
    only: 'Prijavljeni ste samo na ovom uređaju.',
  },
  audit: {
    title: 'Aktivnosti',
    text: 'Šta je rađeno na vašem nalogu i odakle.',
    more: 'Prikaži starije',
    columns: {
      time: 'Vrijeme',
      action: 'Radnja',
      project: 'Projekat',
      ip: 'IP adresa',
      browser: 'Pretraživač',
    },
  },
}

import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import type { Catalogue } from '../../en.ts'

export const settings: Catalogue['portal']['settings'] = {
  title: 'Podešavanja',
  save: 'Sačuvaj',
  changes: (n) =>
    `${formatNumber('cnr', n)} ${plural('cnr', n, { one: 'nesačuvana izmjena', few: 'nesačuvane izmjene', other: 'nesačuvanih izmjena' })}`,
  was: (value) => `Trenutno sačuvano: ${value}`,
  saved: 'Podešavanja su sačuvana.',
  undo: 'Poništi izmjene',
  archive: {
    title: 'Arhiviranje',
    text: 'Arhiviran projekat ne prima uplate i oslobađa jedno od vaših pet mjesta. Podaci ostaju, obavještenja na čekanju se i dalje šalju, a projekat možete vratiti.',
    submit: 'Arhiviraj projekat',
    dialogTitle: 'Arhivirati ovaj projekat?',
    dialogText: 'Njegovi linkovi i odštampani QR kodovi odmah prestaju da primaju uplate.',
    restore: 'Vrati projekat',
    restoreText: 'Projekat je arhiviran. Kada ga vratite, ponovo prima uplate.',
  },
  history: {
    title: 'Istorija',
    empty: 'Još ništa nije mijenjano.',
    more: 'Prikaži starije',
    from: 'sa',
    to: 'na',
  },
  actors: { owner: 'Vi', operator: 'Operater', token: (name) => `API token „${name}“` },
  fields: {
    name: 'Naziv',
    resultUrl: 'URL za povratak',
    apiUrl: 'URL za obavještenja',
    testApiUrl: 'URL za testna obavještenja',
    requireSignedLinks: 'Samo potpisani linkovi',
  },
  on: 'uključeno',
  off: 'isključeno',
  empty: 'prazno',
}

export const actions: Catalogue['portal']['actions'] = {
  signed_up: 'Nalog je kreiran',
  signed_in: 'Prijava',
  signed_out: 'Odjava',
  step_up: 'Lozinka je potvrđena',
  password_changed: 'Lozinka je promijenjena',
  password_reset: 'Lozinka je promijenjena putem e-pošte',
  email_change_asked: 'Zatražena je promjena e-pošte',
  email_confirmed: 'E-pošta je potvrđena',
  email_changed: 'E-pošta je promijenjena',
  sessions_revoked: 'Sesije su prekinute',
  token_made: 'API token je kreiran',
  token_revoked: 'API token je opozvan',
  account_updated: 'Podešavanja naloga su izmijenjena',
  kyc_verified: 'Identitet je provjeren',
  project_added: 'Projekat je kreiran',
  project_updated: 'Podešavanja su izmijenjena',
  project_archived: 'Projekat je arhiviran',
  project_restored: 'Projekat je vraćen',
  secret_revealed: 'Prikazan je produkcijski ključ',
  secret_rotated: 'Zamijenjen je produkcijski ključ',
  test_secret_rotated: 'Zamijenjen je testni ključ',
  other: 'Druga izmjena',
}

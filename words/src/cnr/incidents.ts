import type { Catalogue } from '../en.ts'

export const incidents: Catalogue['incidents'] = {
  mismatch: 'Odgovor platnog sistema se ne slaže sa plaćanjem.',
  charged_after_end: 'Platni sistem je naplatio plaćanje koje je već završeno bez uspjeha.',
  charged_twice: 'Platni sistem je jedno plaćanje naplatio dva puta.',
  contradiction: 'Platni sistem tvrdi da uspješno plaćanje nije naplaćeno.',
  unknown_payment: 'Platni sistem je javio plaćanje koje ne postoji u evidenciji.',
}

import type { Catalogue } from '../en.ts'

export const assistant: Catalogue['assistant'] = {
  nothing: 'Dokumentacija nema odgovor na ovo. Pitajte drugim riječima ili pogledajte spisak stranica.',
  from: (title) => `Iz teksta „${title}“:`,
  more: 'Cijela stranica i druge koje odgovaraju navedene su u izvorima.',
}

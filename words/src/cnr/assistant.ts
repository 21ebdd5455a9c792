import type { Catalogue } from '../catalogue-type.ts'

export const assistant: Catalogue['assistant'] = {
  nothing:
    'U dokumentaciji nema odgovora na ovo pitanje. Pitajte drugim riječima. Za pitanja o ugovoru, provizijama ili nalogu obratite se operateru ovog servisa.',
  from: (title) => `Iz dokumentacije, dio „${title}“:`,
  closest: (title) => `Nijedan dio dokumentacije ne odgovara tačno na ovo pitanje. Najbliži je „${title}“:`,
  more: 'Cijela stranica i druge na istu temu navedene su među izvorima.',
}

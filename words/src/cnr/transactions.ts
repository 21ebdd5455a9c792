import type { Catalogue } from '../en.ts'

export const transactions: Catalogue['transactions'] = {
  columns: {
    createdAt: 'Vrijeme (UTC)',
    localTime: (timeZone) => `Lokalno vrijeme (${timeZone})`,
    id: 'ID transakcije',
    reference: 'Referenca plaćanja',
    mode: 'Režim',
    state: 'Stanje',
    amount: 'Iznos',
    amountMinor: 'Iznos u najmanjim jedinicama',
    currency: 'Valuta',
    customId: 'Broj narudžbe',
    data: 'Opis',
    failureCode: 'Razlog neuspjeha',
    needsReview: 'Na provjeri',
    completedAt: 'Završeno (UTC)',
    callbackStatus: 'Obavještenje',
    callbackAttempts: 'Pokušaji obavještavanja',
    callbackStatusCode: 'Posljednji HTTP status',
    resolution: 'Odluka nakon provjere',
    resolvedAt: 'Vrijeme odluke (UTC)',
    resolutionReason: 'Razlog odluke',
  },
  yes: 'da',
}

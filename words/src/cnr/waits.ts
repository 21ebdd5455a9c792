import type { Catalogue } from '../en.ts'

export const waits: Catalogue['waits'] = {
  retryIn: (wait) => `Pokušajte ponovo za ${wait}.`,
  over: 'Sada možete pokušati ponovo.',
}

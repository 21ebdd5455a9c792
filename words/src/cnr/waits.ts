import type { Catalogue } from '../catalogue-type.ts'

export const waits: Catalogue['waits'] = {
  retryIn: (wait) => `Pokušajte ponovo za ${wait}.`,
  over: 'Sada možete pokušati ponovo.',
}

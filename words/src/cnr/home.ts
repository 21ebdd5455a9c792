import type { Catalogue } from '../en.ts'

export const home: Catalogue['home'] = {
  heading: 'Primajte uplate preko jednog linka',
  text: 'Kreirajte projekat, pošaljite kupcu link za plaćanje i primite potpisano obavještenje kada se plaćanje završi.',
  signIn: 'Prijavite se',
  createAccount: 'Registrujte se',
  projects: 'Projekti',
  documentation: 'Dokumentacija',
  apiDescription: 'Opis API-ja',
  support: 'Podrška',
  signOut: 'Odjavite se',
}

export const waits: Catalogue['waits'] = {
  retryIn: (wait) => `Pokušajte ponovo za ${wait}.`,
}

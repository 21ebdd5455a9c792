import { INBOX_REQUESTS_MAX, INBOX_RETENTION_DAYS } from '@pazar/contract/limits'
import type { Catalogue } from '../../catalogue-type.ts'

export const inbox: Catalogue['portal']['inbox'] = {
  title: 'Prijemno sanduče',
  intro:
    'Dok vaš server ne bude spreman, testna obavještenja stižu ovdje. Svako je tačno onakav zahtjev kakav će dobiti vaš server.',
  notUsed: 'Ovaj projekat ima server',
  notUsedText: 'Njegova obavještenja idu na adrese iz podešavanja.',
  emptyTitle: 'Još ništa nije stiglo',
  emptyText:
    'Pošaljite testno obavještenje ili izvršite testno plaćanje. Dok je u CLI-ju pokrenuta komanda listen, obavještenja idu njemu: vidite ih u dnevniku obavještenja.',
  pay: 'Izvrši testno plaćanje',
  toSettings: 'Unesi URL svog servera',
  verified: 'Potpis je ispravan',
  notVerified: 'Potpis nije ispravan',
  notVerifiedText:
    'Ključ je zamijenjen dok je obavještenje bilo na putu, pa bar jedna od ovih provjera nije uspjela:',
  unknownEvent: 'Obavještenje',
  how: 'Kako je provjereno pri prijemu',
  checks: {
    mac: 'webhook-signature je HMAC-SHA256 od „webhook-id.webhook-timestamp.tijelo“ sa ključem ovog projekta, u base64 zapisu.',
    time: 'webhook-timestamp nije stariji od pet minuta.',
    hash: 'hash u tijelu je JWT (HS256) sa istim poljima, potpisan istim ključem.',
    facts: 'projectId, mode i amount imaju očekivane vrijednosti.',
  },
  headers: 'Zaglavlja',
  body: 'Tijelo',
  bodyHint: 'Potpis obuhvata tačno ove bajtove: provjerite ih prije nego što pročitate JSON.',
  copy: 'Kopiraj zahtjev',
  code: 'Ista provjera u vašem programskom jeziku',
  stored: `Zahtjevi se čuvaju ${INBOX_RETENTION_DAYS} dana, a najviše ih može biti ${INBOX_REQUESTS_MAX}.`,
}

import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import type { Catalogue } from '../../catalogue-type.ts'

export const secondFactor: Catalogue['portal']['secondFactor'] = {
  title: 'Dvostruka provjera',
  text: 'Lozinka je tačna. Otvorite aplikaciju za potvrdu identiteta na telefonu i unesite šest cifara koje prikazuje za ovaj nalog.',
  confirmText:
    'Otvorite aplikaciju za potvrdu identiteta na telefonu i unesite šest cifara koje prikazuje za ovaj nalog.',
  passkeyText: 'Ovaj nalog ima pristupni ključ. Potvrdite otiskom prsta, licem ili PIN-om.',
  or: 'ili',
  recoveryText: `Unesite jedan od rezervnih kodova koje ste sačuvali. Svaki važi jednom. Tokom ${RECOVERY_WAIT_HOURS} sata poslije upotrebe koda nijesu mogući povraćaji preko portala, prikaz stvarnih tajnih ključeva ni neke druge radnje.`,
  code: 'Kod iz aplikacije',
  recoveryCode: 'Rezervni kod',
  lost: 'Ostali ste bez telefona?',
  useRecovery: 'Koristi rezervni kod',
  useApp: 'Koristi aplikaciju',
  passkey: 'Koristi pristupni ključ',
  passkeyFailed: 'Pristupni ključ nije upotrijebljen. Pokušajte ponovo ili izaberite drugi način.',
  submit: 'Nastavi',
  back: 'Prijavi se drugim nalogom',
  wrong: 'Kod je pogrešan ili je već iskorišćen. Aplikacija prikazuje novi svakih 30 sekundi.',
  wrongRecovery: 'Kod je pogrešan ili je već iskorišćen. Unesite drugi rezervni kod.',
  expired: 'Prošlo je previše vremena otkako ste unijeli lozinku. Unesite je ponovo.',
  stepUpText: 'Narednih pet minuta nećemo ponovo pitati.',
}

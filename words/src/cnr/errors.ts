import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract/limits'
import type { Catalogue } from '../catalogue-type.ts'

export const errors: Catalogue['errors'] = {
  invalid_request: {
    title: 'Zahtjev nije ispravan',
    detail: 'Ispravite ga i pošaljite ponovo; ako su pojedina polja pogrešna, navedena su pod „errors“.',
  },
  invalid_signature: {
    title: 'Link za plaćanje nije ispravan',
    detail: 'Link nije potpisan ili se potpis ne poklapa. Zatražite novi link od prodavca.',
  },
  unauthenticated: {
    title: 'Prijavite se da biste nastavili',
    detail: 'Sesija je istekla ili zahtjev nema važeći API token.',
  },
  invalid_credentials: {
    title: 'Pogrešna adresa e-pošte ili lozinka',
    detail: 'Provjerite oba podatka i pokušajte ponovo.',
  },
  invalid_hash: {
    title: 'Hash nije prošao provjeru',
    detail: 'Provjerite ID projekta, tajni ključ i potpisana polja.',
  },
  payment_failed: {
    title: 'Plaćanje nije uspjelo',
    detail:
      'Ovaj pokušaj nije naplaćen. Možete pokušati ponovo, osim ako banka prikazuje naplatu: tada se obratite prodavcu.',
  },
  forbidden_origin: {
    title: 'Zahtjev je stigao sa drugog sajta',
    detail: 'Otvorite stranicu na njenoj pravoj adresi i ponovite radnju.',
  },
  forbidden_role: {
    title: 'Vaša uloga to ne dozvoljava',
    detail:
      'Član ste ovog projekta. Zamolite vlasnika ili administratora sa tim pravom da to uradi ili da vam promijeni ulogu.',
  },
  shop_not_ready: {
    title: 'Ovaj projekat još ne može da prima stvarne uplate',
    detail:
      'Njegova obavještenja idu u prijemno sanduče. U podešavanjima unesite URL za obavještenja svog servera. Testni režim radi.',
  },
  step_up_required: {
    title: 'Potvrdite da ste to vi',
    detail:
      'Da biste nastavili, potvrdite na portalu da ste to vi: lozinkom, pristupnim ključem ili kodom iz aplikacije.',
  },
  kyc_required: {
    title: 'Potrebna je provjera identiteta',
    detail:
      'Za stvarni režim vlasnik projekta mora imati provjeren identitet. Novi vlasnik mora da ga ima prije preuzimanja projekta. Testni režim radi i dalje. Obratite se operateru ovog servisa.',
  },
  sign_up_closed: {
    title: 'Registracija je zatvorena',
    detail:
      'Nove naloge odobrava operater ovog servisa. On odlučuje i da li nalog otvoren preko poziva može da ima sopstvene projekte. Obratite mu se.',
  },
  not_found: {
    title: 'Nije pronađeno',
    detail: 'Traženi sadržaj ne postoji ili mu nemate pristup.',
  },
  method_not_allowed: {
    title: 'Ova metoda ovdje nije podržana',
    detail: 'Podržane metode navedene su u zaglavlju Allow.',
  },
  too_many: {
    title: `Dostigli ste ograničenje od ${PROJECTS_PER_ACCOUNT_MAX} projekata`,
    detail: 'Arhivirajte projekat koji vam više ne treba, pa pokušajte ponovo.',
  },
  custom_id_conflict: {
    title: 'Ovaj customId pripada drugom plaćanju',
    detail:
      'Već je korišćen sa drugim iznosom ili drugim opisom (data). Prvo provjerite da li je to plaćanje uspjelo. Ako je ovo druga narudžba, upotrijebite novi customId.',
  },
  already_delivered: {
    title: 'Već isporučeno',
    detail:
      'Ovo obavještenje je prihvatio vaš server, ili je proslijeđeno CLI-ju ili sačuvano u prijemnom sandučetu. Da biste ga poslali ponovo, potvrdite sa „again: true“.',
  },
  not_refundable: {
    title: 'Povraćaj za ovo plaćanje nije moguć',
    detail: 'Razlog piše uz polje.',
  },
  refund_exceeds: {
    title: 'Iznos je veći od onoga što se može vratiti',
    detail: 'Vratite najviše onoliko koliko se od plaćanja još može vratiti.',
  },
  idempotency_conflict: {
    title: 'Ovaj idempotencyKey je već korišćen za drugi povraćaj',
    detail:
      'Za svaki povraćaj koristite novi idempotencyKey; zahtjev ponavljajte samo sa potpuno istim vrijednostima.',
  },
  email_taken: {
    title: 'Već postoji nalog sa ovom adresom e-pošte',
    detail: 'Prijavite se ili zatražite novu lozinku.',
  },
  link_expired: {
    title: 'Link za plaćanje je istekao',
    detail:
      'Ovaj pokušaj nije naplaćen. Zatražite novi link od prodavca. Ako ste ranije pritisnuli „Plati“, prvo pitajte prodavca da li je to plaćanje prošlo.',
  },
  token_expired: {
    title: 'Ovaj link ili ova stranica više ne važi',
    detail: 'Otvorite stranicu ponovo ili zatražite novi link.',
  },
  archived: {
    title: 'Projekat je arhiviran',
    detail: 'Arhiviran projekat ne prima uplate i ne može se prenijeti. Vlasnik ga može vratiti iz arhive.',
  },
  cursor_expired: {
    title: 'Ovaj kursor više ne važi',
    detail:
      'Servis je vraćen iz rezervne kopije. Nastavite sa kursorom iz polja „next“ i preskočite događaje čiji ID već imate.',
  },
  payload_too_large: {
    title: 'Zahtjev je prevelik',
    detail: 'Skratite ga i pošaljite ponovo.',
  },
  unsupported_media_type: {
    title: 'Ova vrsta sadržaja nije podržana',
    detail: 'Pošaljite JSON sa zaglavljem Content-Type: application/json.',
  },
  invalid_url: {
    title: 'Neispravan URL',
    detail: 'Uz polje piše šta treba ispraviti.',
  },
  locked_out: {
    title: 'Previše pokušaja',
    detail: 'Sačekajte neko vrijeme, pa pokušajte ponovo.',
  },
  rate_limited: {
    title: 'Previše zahtjeva',
    detail: 'Sačekajte trenutak, pa pokušajte ponovo.',
  },
  internal_error: {
    title: 'Došlo je do greške na našoj strani',
    detail:
      'Pokušajte ponovo. Ako se greška ponovi, obratite se operateru ovog servisa i navedite oznaku zahtjeva.',
  },
  upstream_error: {
    title: 'Banka nije odgovorila',
    detail: 'Prije novog pokušaja provjerite da li je prethodni uspio.',
  },
  unavailable: {
    title: 'Servis trenutno nije dostupan',
    detail: 'Pokušajte ponovo za koji trenutak.',
  },
}

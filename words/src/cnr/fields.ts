import { AMOUNT_DIGITS_MAX, RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import { formatNumber } from '../format.ts'
import { plural } from '../plural.ts'
import type { Catalogue } from '../catalogue-type.ts'

const counted = (n: number, one: string, few: string, other: string) =>
  `${formatNumber('cnr', n)} ${plural('cnr', n, { one, few, other })}`

const characters = (n: number) => counted(n, 'znak', 'znaka', 'znakova')

export const fields: Catalogue['fields'] = {
  invalid: 'Vrijednost nije ispravna.',
  required: 'Obavezno polje.',
  unknown_field: 'Nepoznato polje.',
  wrong_type: 'Vrijednost je pogrešnog tipa.',
  not_one_of: ({ values }) => `Dozvoljene vrijednosti: ${values}.`,
  too_short: ({ min }) => `Unesite najmanje ${characters(min)}.`,
  too_long: ({ max }) => `Unesite najviše ${characters(max)}.`,
  too_many_bytes: ({ max }) => `Najveća dozvoljena dužina je ${counted(max, 'bajt', 'bajta', 'bajtova')}.`,
  out_of_range: ({ min, max }) =>
    `Unesite broj od ${formatNumber('cnr', min)} do ${formatNumber('cnr', max)}.`,
  too_small: ({ min }) => `Najmanja dozvoljena vrijednost je ${formatNumber('cnr', min)}.`,
  too_large: ({ max }) => `Najveća dozvoljena vrijednost je ${formatNumber('cnr', max)}.`,
  amount: `Unesite iznos kao cio broj u najmanjim jedinicama valute, sa najviše ${AMOUNT_DIGITS_MAX} cifara.`,
  invalid_email: 'Unesite ispravnu adresu e-pošte.',
  password_too_common: 'Ova lozinka se lako pogađa. Izaberite drugu.',
  invalid_time: 'Unesite vrijeme u formatu ISO 8601, na primjer 2026-07-26T15:04:05.000Z.',
  time_passed: 'Unesite vrijeme u budućnosti, kao Unix vrijeme u sekundama.',
  ends_before_it_begins: 'Kraj je prije početka.',
  range_too_long: ({ max }) => `Period može trajati najviše ${counted(max, 'dan', 'dana', 'dana')}.`,
  month: 'Unesite godinu i mjesec, na primjer 2026-11.',
  invalid_time_zone: 'Unesite naziv vremenske zone, na primjer Europe/Podgorica.',

  url_malformed: 'Unesite cijelu adresu, sa https:// na početku.',
  url_scheme: 'Dozvoljena je samo javna https adresa.',
  url_private_address: 'Dozvoljena je samo javna https adresa, a ova vodi u privatnu mrežu.',
  url_host_characters: 'Domen može da sadrži samo slova, cifre, tačke, crtice i donje crte.',
  url_host_name: 'Dozvoljena je samo javna https adresa, a ovaj domen nije javan.',
  url_own_machine:
    'Ova adresa je na vašem računaru ili u vašoj mreži. Unesite javnu https adresu; testna obavještenja na vaš računar stižu preko komande listen.',
  url_own_machine_page:
    'Ova adresa je na vašem računaru ili u vašoj mreži i ovdje se ne može sačuvati. Da isprobate povratak kupca na ovu adresu, kreirajte novi projekat sa njom.',
  url_inbox:
    'Ovo nije prijemno sanduče ovog projekta. Unesite adresu koju prikazuju podešavanja ili javnu https adresu svog servera.',
  url_inbox_queued:
    'Rezultati stvarnih plaćanja još čekaju slanje. Sanduče možete koristiti kada stignu na vaš server ili kada prestanemo da ih šaljemo.',
  exam_without_server:
    'Ovaj projekat još nema server: njegova obavještenja idu u prijemno sanduče. Unesite URL za testna obavještenja ili pokrenite ispit sa svog računara.',
  url_port:
    'Ovaj port nije dozvoljen. Koristite 443 ili port od 1024 naviše koji ne koriste baze podataka, pošta i slični servisi.',
  url_userinfo: 'Uklonite korisničko ime i lozinku iz adrese.',
  url_fragment: 'Uklonite dio adrese od znaka # do kraja.',
  url_whitespace: 'Uklonite razmake i prelome reda iz adrese.',
  url_too_long: 'Adresa je predugačka.',

  invisible_characters: 'Uklonite kontrolne i nevidljive znakove.',
  outer_spaces: 'Uklonite razmake na početku i na kraju.',
  invalid_text: 'Tekst sadrži znakove koji se ne mogu sačuvati.',
  not_utf8: 'Tekst nije ispravan UTF-8.',
  malformed: 'Tijelo zahtjeva nije ispravan JSON.',
  duplicate_key: 'Ovo polje je navedeno više puta.',
  forbidden_key: 'Ovaj naziv polja nije dozvoljen.',
  too_deep: 'JSON ima previše nivoa.',
  duplicate_parameter: 'Ovaj parametar je naveden više puta.',
  malformed_encoding: 'Adresa sadrži neispravno kodirane znakove.',

  token_and_session: 'Pošaljite ili API token ili kolačić sesije, ne oboje.',
  id_or_custom_id: 'Navedite transactionId ili customId, samo jedno.',
  not_forwarded: 'Ovo obavještenje nije proslijeđeno vašem CLI-ju u testnom režimu.',
  already_reported: 'Odgovor na ovo obavještenje već je javljen; važi prvi.',
  event_not_chosen: 'Projekat ne prima ovaj događaj. Prvo ga dodajte u polje events.',
  cursor:
    'Ovaj kursor nije iz spiska ovog projekta. Pošaljite „next“ sa posljednje strane koju ste dobili, ili nemojte slati kursor.',
  token_scope: 'Dozvola ovog API tokena ovo ne obuhvata. Koristite token sa dozvolom koju ova ruta traži.',
  token_project: 'Ovaj API token važi samo za jedan projekat, pa ne može da kreira drugi.',
  refund_scope_only: 'Dnevno ograničenje ima samo token sa dozvolom „refund“.',
  wrong_code: 'Kod nije ispravan. Unesite onaj koji aplikacija sada prikazuje.',
  passkey_refused: 'Ovaj pristupni ključ nije moguće dodati. Pokušajte ponovo ili koristite drugi uređaj.',
  password_first:
    'Lozinka je promijenjena putem e-pošte. Jednom se prijavite novom lozinkom i ovim pristupnim ključem; poslije toga on opet radi i bez lozinke.',
  too_many_passkeys:
    'Dostigli ste najveći broj pristupnih ključeva po nalogu. Uklonite onaj koji vam više ne treba.',
  password_or_code: 'Navedite lozinku ili kod, samo jedno.',
  recovery_only:
    'Rezervni kod je dovoljan za promjenu pristupnih ključeva, aplikacije i kodova, ali ne i za ovo. Potvrdite na drugi način da ste to vi.',
  recovery_wait: `Nedavno je iskorišćen rezervni kod ili je uklonjena dvostruka provjera. Radi vaše bezbjednosti ovo nije moguće dok od toga ne prođu ${RECOVERY_WAIT_HOURS} sata.`,
  token_not_here: 'Ova ruta ne prihvata API tokene. Prijavite se na portal i uradite to tamo.',
  too_many_tokens: 'Dostigli ste najveći broj API tokena po nalogu. Opozovite onaj koji vam više ne treba.',

  low_contrast: 'Ova boja je presvijetla za bijelu stranicu. Izaberite tamniju.',
  logo_unknown_format: 'Izaberite sliku u formatu PNG, JPEG ili WebP.',
  logo_truncated: 'Slika nije cijela. Sačuvajte je ponovo i pokušajte opet.',
  logo_damaged: 'Slika ne može da se pročita. Sačuvajte je kao PNG i pokušajte ponovo.',
  logo_too_large: 'Dozvoljeno je najviše 100 KB i 1024 × 1024 piksela.',
  logo_animated: 'Izaberite sliku bez animacije.',
  payment_result_required:
    'payment.result se ne može ukloniti: iz njega vaš server saznaje da je narudžba plaćena.',
  refund_not_paid: 'Povraćaj je moguć samo za uspješno plaćanje, a ovo plaćanje nije uspješno ili još traje.',
  refund_in_review: 'Ovo plaćanje se ručno provjerava. Povraćaj je moguć tek ako se potvrdi da je plaćeno.',
  refund_disputed: 'Ostatak ovog plaćanja je osporen, pa se ne može vratiti.',
  refund_not_offered: 'Povraćaj za ovo plaćanje ovdje nije moguć. Obratite se operateru ovog servisa.',
  refund_left: ({ left }) => `Može se vratiti još najviše ${left}.`,
  refund_daily_cap: ({ left }) => `Ovim API tokenom danas (UTC) možete vratiti još najviše ${left}.`,
  key_used:
    'Ova oznaka (idempotencyKey) već je korišćena za drugi povraćaj. Za svaki povraćaj koristite novu.',

  confirm_live_url:
    'Zahtjevi iz ispita išli bi na stvarni URL za obavještenja. Ako to dozvoljavate, pošaljite confirm: true, ili unesite URL za testna obavještenja.',
  overtaken: 'Za ovu narudžbu važi drugi rezultat, pa se ovo obavještenje više ne šalje.',
  payments_open:
    'Neko plaćanje još nije završeno ili se provjerava. Pokušajte ponovo kada se sva plaćanja završe.',
  callbacks_queued:
    'Neka obavještenja još čekaju slanje. Pokušajte ponovo kada budu isporučena ili kada prestanemo da ih šaljemo.',
  has_live_payments:
    'Ovaj projekat ima stvarna plaćanja, a ona se čuvaju. Može se arhivirati, ali ne i obrisati.',
  no_next_secret: 'Ključ nije pripremljen, ili je istekao ili odbačen. Prvo pripremite ključ.',
  own_membership: 'To ste vi. Ne možete pozvati ni ukloniti sebe, niti promijeniti sopstvenu ulogu.',
  owner_stays: 'Vlasnik ne može da napusti projekat. Možete ga prenijeti ili arhivirati.',
  own_project: 'Projekat je već vaš. Izaberite drugu osobu.',
  not_a_member: 'Ova osoba nije član projekta. Prvo je pozovite.',
  transfer_pending:
    'Prenos ovog projekta je u toku. Otkažite ga prije nego što projekat ponudite drugoj osobi.',
  no_transfer: 'Za vas nema otvorenog prenosa ovog projekta. Možda je otkazan ili je istekao.',
  email_unconfirmed: 'Prvo potvrdite adresu e-pošte linkom koji smo vam poslali.',
  owner_gets_all: 'Vlasnik dobija sve poruke o projektu.',
  already_member: 'Ova osoba je već član projekta. Možete joj promijeniti ulogu.',
  too_many_members: 'Projekat je dostigao najveći broj članova. Uklonite nekog člana ili povucite poziv.',
  invitation_of_other: 'Ovaj poziv je poslat na drugu adresu. Prijavite se nalogom sa tom adresom.',
  too_many_shared: 'Dostigli ste najveći broj podijeljenih projekata. Napustite neki, pa prihvatite poziv.',
  email_differs: 'Ovo nije adresa e-pošte vašeg naloga.',
  erased:
    'Sadržaj ovog obavještenja obrisan je po isteku roka čuvanja, pa se obavještenje više ne može poslati.',
  two_projects: 'Polja project i projectId navode dva različita projekta.',
  signature_required: 'Ovaj link mora biti potpisan.',
  package_not_packed:
    'Ova datoteka ovdje još nije napravljena. Operater je pravi komandom „npm run packages“.',
  qr_too_long: 'Link za plaćanje je predugačak za QR kod. Skratite opis (data) ili broj narudžbe (customId).',
}

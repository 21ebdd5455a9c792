import type { Catalogue } from '../catalogue-type.ts'

export const incidents: Catalogue['incidents'] = {
  mismatch: 'Odgovor platnog sistema se ne slaže sa plaćanjem.',
  charged_after_end: 'Platni sistem je naplatio novac za plaćanje koje je već završeno bez uspjeha.',
  charged_twice: 'Platni sistem je za jedno plaćanje naplatio novac dva puta.',
  contradiction: 'Platni sistem javlja da za uspješno plaćanje novac nije naplaćen.',
  unknown_payment: 'Platni sistem je javio plaćanje koje ne postoji u evidenciji.',
  unresolved: 'Plaćanje nema ishod, a platni sistem ga ne javlja; operater mora da odluči.',
  upstream_missing: 'Ima plaćanja započetih kod platnog sistema koji više nije podešen.',
  upstream_key_rejected: 'Platni sistem odbija naš ključ; dok se ne zamijeni, plaćanja nijesu moguća.',
  upstream_unreachable: 'Platni sistem nije dostupan; novi pokušaji plaćanja ne uspijevaju.',
  upstream_failing: 'Najmanje polovina zahtjeva platnom sistemu ne uspijeva.',
  webhook_refused:
    'Webhook poruke platnog sistema se odbijaju: potpis ne odgovara. Provjerite tajni ključ za webhook (webhook secret).',
  webhook_unusable:
    'Platni sistem šalje potpisane webhook poruke koje se ne mogu pročitati; ishode saznajemo samo upitima platnom sistemu.',
  delivery_stopped:
    'Obavještenja ili upiti platnom sistemu čekaju, a nijedan proces ih ne obrađuje; pokrenite proces sa ROLE=delivery.',
  callbacks_lost:
    'Ima završenih plaćanja čiji ishod prodavcu nije ni upućen, ili se vodi kao isporučen bez ijednog pokušaja.',
  refund_mismatch: 'Ono što je platni sistem javio o povraćaju ne slaže se sa povraćajem ili plaćanjem.',
  refund_contradiction: 'Platni sistem javlja drugačiji ishod povraćaja od zabilježenog.',
  refund_exceeds: 'Kod platnog sistema je vraćeno ili osporeno više nego što je plaćeno.',
  dispute_mismatch: 'Ono što je platni sistem javio o sporu ne slaže se sa sporom ili plaćanjem.',
  dispute_contradiction: 'Platni sistem javlja drugačiji ishod spora od zabilježenog.',
  refund_unresolved: 'Povraćaj dugo nema ishod; pitajte platni sistem šta je sa njim.',
  books_differ: 'Naša evidencija i evidencija platnog sistema se ne slažu.',
  restored:
    'Baza je vraćena iz rezervne kopije ili su izgubljeni upisi. Plaćanja, povraćaji i obavještenja su zaustavljeni dok ne pokrenete reconcile --since; „npm run pazar -- incidents list“ ispisuje tu komandu sa potrebnim vremenom.',
  restore_unchecked:
    'Lista platnog sistema ima više od 1.000 stranica ili nema kraja, pa se ne zna da li su u bazi izgubljena plaćanja. Plaćanja se nastavljaju. Pokrenite reconcile --since; „npm run pazar -- incidents list“ ispisuje tu komandu sa potrebnim vremenom.',
  orphan_charge:
    'Poslije vraćanja baze platni sistem ima naplatu koja se ovdje ne može pripisati nijednom projektu.',
}

// The Montenegrin translation of the texts in the OpenAPI document.
// Why this is long: one table.
export const apiTexts: Readonly<Record<string, string>> = {
  'Create a project': 'Kreira projekat',
  'The result as stated in the address; the page shows the stored state':
    'Ishod naveden u adresi; stranica prikazuje sačuvano stanje',
  'State of the payment; `requires_action`: the payer must go to `redirectUrl`':
    'Stanje plaćanja; `requires_action`: kupac mora da ode na `redirectUrl`',
  'State of the payment': 'Stanje plaćanja',
  'The link can be used to pay': 'Preko linka se može platiti',
  'How the payment ended': 'Kako se plaćanje završilo',
  'Change a project': 'Mijenja projekat',
  'List your projects': 'Spisak vaših projekata',
  'One project': 'Jedan projekat',
  "The caller's role in this project": 'Uloga pozivaoca u ovom projektu',
  "Whether the operator has verified the owner's identity; live payments may need that":
    'Da li je operater provjerio identitet vlasnika; to može biti uslov za stvarna plaćanja',
  'Show the live secret (confirm it is you first); the test secret is on the portal’s Secrets page':
    'Prikazuje stvarni tajni ključ (prvo potvrdite da ste to vi); testni je na portalu, na stranici Ključevi',
  'Rotate the live secret (confirm it is you first)':
    'Zamjenjuje stvarni tajni ključ (prvo potvrdite da ste to vi)',
  'A pay link as a QR code, for the owner and admins (a signed live code needs a token with the permission write)':
    'Link za plaćanje kao QR kod, za vlasnika i administratore (za potpisan stvarni kod potreban je token sa dozvolom write)',
  'List payments': 'Spisak plaćanja',
  'What comes first. If omitted: newest': 'Šta dolazi prvo; ako nije navedeno: najnovije',
  'What comes first. If omitted: newest. A search by customId is sorted by customId':
    'Šta dolazi prvo; ako nije navedeno: najnovije. Rezultati pretrage po polju customId ređaju se po njemu',
  'Payments, refunds and disputes of a month, day by day, for the owner, admins and finance':
    'Plaćanja, povraćaji i sporovi po danima u mjesecu, za vlasnika, administratore i finansije',
  'JSON, or a CSV file': 'JSON ili CSV datoteka',
  'Year and month': 'Godina i mjesec',
  'Year, month and day': 'Godina, mjesec i dan',
  '`csv`: the entries behind the sums, one per line':
    '`csv`: stavke od kojih su zbirovi sastavljeni, po jedna u redu',
  'The currency of the statement, for a month with entries in several currencies. If omitted: the current currency, or the last currency of the month if all its entries are in other currencies':
    'Valuta pregleda, za mjesec sa stavkama u više valuta. Ako nije navedeno: trenutna valuta, ili posljednja valuta tog mjeseca ako su sve stavke u drugim valutama',
  'The currencies of the entries of the month, sorted. Several if the currency was changed. Each has a statement of its own: see the parameter `currency`':
    'Valute stavki tog mjeseca, po abecedi. Ima ih više ako je valuta promijenjena. Svaka ima svoj pregled: pogledajte parametar `currency`',
  'How many payments succeeded or were decided to be paid, less those that were later decided to be unpaid':
    'Broj plaćanja koja su uspjela ili za koja je odlučeno da su plaćena, umanjen za broj onih za koja je kasnije odlučeno da nijesu plaćena',
  'Sum of these payments': 'Zbir tih plaćanja',
  'Sum of the refunds that succeeded, of payments that count as paid':
    'Zbir uspješnih povraćaja za plaćanja koja se računaju kao plaćena',
  'Sum of the successful refunds whose money later returned to the merchant, or whose payment was decided to be unpaid':
    'Zbir uspješnih povraćaja čiji se novac kasnije vratio prodavcu ili za čije je plaćanje odlučeno da nije plaćeno',
  'What was withdrawn because of disputes, minus what was returned to the merchant for disputes that were won, and for disputes of payments that were decided to be unpaid':
    'Povučeno zbog sporova, umanjeno za ono što je vraćeno prodavcu po dobijenim sporovima i po sporovima plaćanja za koja je odlučeno da nijesu plaćena',
  'gross − refunds + returned − disputes': 'Računa se: gross − refunds + returned − disputes',
  "The project's current time zone. Each entry belongs to the day on which it was recorded, in the zone that the project had then":
    'Trenutna vremenska zona projekta. Svaka stavka pripada danu u kojem je zabilježena, u zoni koju je projekat tada imao',
  'IANA name of the time zone in which statements count days':
    'IANA naziv vremenske zone po kojoj mjesečni pregledi računaju dane',
  'List the changes to payments, refunds and disputes': 'Spisak promjena plaćanja, povraćaja i sporova',
  'List payments (old address, deprecated)': 'Spisak plaćanja (stara adresa, zastarjelo)',
  'Was this order paid?': 'Da li je ova narudžba plaćena?',
  'The hosted checkout page': 'Stranica za plaćanje',
  'Confirm the payment shown': 'Potvrđuje prikazano plaćanje',
  'Confirmation page with the state of the payment': 'Stranica sa potvrdom i stanjem plaćanja',
  '`pending` also if the payment is not known': '`pending` i ako plaćanje nije poznato',
  'How much of the payment was refunded': 'Koliki je dio plaćanja vraćen',
  "A payment's current state, or its receipt once it is paid":
    'Trenutno stanje plaćanja ili, kada je plaćeno, potvrda o plaćanju',
  'Ask about the integration': 'Pitanje o integraciji',

  'Refund a payment, in full or in part (confirm it is you first, or use a refund token)':
    'Vraća novac za plaćanje, u cjelini ili djelimično (prvo potvrdite da ste to vi, ili koristite token za povraćaje)',
  'Sent to your server when a refund has ended, if the project chose this event':
    'Šta stiže vašem serveru kada se povraćaj završi, ako je projekat izabrao ovaj događaj',
  'Sent to your server when a dispute or an inquiry is opened, if the project chose this event':
    'Šta stiže vašem serveru kada se otvori spor ili upit, ako je projekat izabrao ovaj događaj',
  'Sent to your server when a dispute or an inquiry has ended, if the project chose this event':
    'Šta stiže vašem serveru kada se spor ili upit završi, ako je projekat izabrao ovaj događaj',
  'State of the dispute': 'Stanje spora',
  'ID of the dispute': 'ID spora',
  'The only project that the token can use': 'Jedini projekat koji token može da koristi',
  'The most that the token can refund in a day (UTC), test refunds included':
    'Najveći iznos koji token može da vrati za jedan dan (UTC), zajedno sa testnim povraćajima',
  'Which callbacks are sent; payment.result is always among them':
    'Koja se obavještenja šalju; payment.result je uvijek među njima',
  'null for disputes': 'null za sporove',
  'What has been refunded': 'Koliko je vraćeno',
  'What can still be refunded': 'Koliko se još može vratiti',
  'The last attempt went to the CLI, whose terminal shows the response':
    'Posljednji pokušaj je proslijeđen CLI-ju; odgovor je u njegovom terminalu',
  'The sum of open and lost disputes': 'Zbir otvorenih i izgubljenih sporova',
  "The bank's reference for the charge": 'Oznaka naplate iz banke',
  "Whole number of the currency's smallest unit, or 0": 'Cio broj u najmanjim jedinicama valute, ili 0',
  'The payment, which must have succeeded': 'Plaćanje, koje mora biti uspješno',
  'If omitted: all that can still be refunded': 'Ako nije naveden: sve što se još može vratiti',
  'For your own records': 'Za vašu evidenciju',
  'Your own key for this refund: the same request with the same key refunds once':
    'Vaša oznaka ovog povraćaja: isti zahtjev sa istom oznakom vraća novac jednom',
  'returned: the refund succeeded, but its money returned to the merchant later':
    'returned: povraćaj je uspio, ali se novac kasnije vratio prodavcu',
  'Why it is still processing, when that is known': 'Zašto je još u obradi, ako se zna',
  'How the payer pages look: shown on test pages, and on live ones once the owner is verified':
    'Izgled stranica za kupce: prikazuje se na testnim stranicama, a na stvarnim kada je identitet vlasnika provjeren',
  'Why the refund failed, or why its money returned to the merchant':
    'Zašto povraćaj nije uspio ili zašto se novac vratio prodavcu',
  'Where it was requested; upstream: directly at the payment provider':
    'Gdje je zatraženo; upstream: direktno u platnom sistemu',
  'The same request was made before': 'Isti zahtjev je već poslat',

  'ISO 8601, UTC, milliseconds': 'ISO 8601, UTC, sa milisekundama',
  'ISO 8601 with a zone': 'ISO 8601 sa vremenskom zonom',
  'How many decimals the amount has': 'Koliko decimala ima iznos',
  "Whole number of the currency's smallest unit": 'Cio broj u najmanjim jedinicama valute',
  "The merchant's own order ID; no invisible characters, no outer spaces":
    'Broj narudžbe kod prodavca; bez nevidljivih znakova i bez razmaka na početku i na kraju',
  "The page's language": 'Jezik stranice',
  'What payers read above the amount': 'Naziv koji kupac vidi iznad iznosa',
  'False once counting stopped at 10000': 'false kada je brojanje stalo na 10000',
  'Ended at this time or later': 'Završeno u ovo vrijeme ili kasnije',
  'true: only payments of which something was refunded; false: only the others':
    'true: samo plaćanja od kojih je nešto vraćeno; false: samo ostala',
  'true: only payments with an open or lost dispute; false: only the others':
    'true: samo plaćanja sa otvorenim ili izgubljenim sporom; false: samo ostala',
  'true: only payments that the operator is checking; false: only the others':
    'true: samo plaćanja koja operater provjerava; false: samo ostala',
  'One payment with its refunds and disputes': 'Jedno plaćanje, sa povraćajima i sporovima',
  "By when the bank must have the operator's response": 'Do kada banka mora dobiti odgovor operatera',
  'Oldest first': 'Od najstarijeg',
  'Newest first': 'Od najnovijeg',
  'How many projects an account can own, not counting archived ones':
    'Koliko projekata nalog može da ima kao vlasnik, ne računajući arhivirane',
  'Ended before this time': 'Završeno prije ovog vremena',
  'Created before this time': 'Kreirano prije ovog vremena',
  'Created at this time or later': 'Kreirano u ovo vrijeme ili kasnije',
  'At most 2048 bytes of UTF-8; comes back in the callback as it was':
    'Najviše 2048 bajtova u UTF-8; u obavještenju se vraća nepromijenjeno',
  'Instead of transactionId. If the order has several payments: the one in progress or succeeded, otherwise one in review, otherwise the newest':
    'Umjesto transactionId. Ako narudžba ima više plaćanja: ono koje je u toku ili je uspješno, inače ono koje se provjerava, inače najnovije',
  'Used only with customId. If omitted: live': 'Koristi se samo uz customId. Ako nije naveden: live',
  'If omitted: payment.result. Any other must be among the `events` of the project':
    'Ako nije naveden: payment.result. Svaki drugi mora biti među `events` projekta',
  'refund.result: fail gives `refundStatus` failed. dispute.closed: success gives won, fail gives lost. dispute.opened: no effect':
    'refund.result: uz fail `refundStatus` je failed. dispute.closed: uz success ishod je won, uz fail lost. dispute.opened: bez uticaja',
  'If omitted: live and test': 'Ako nije naveden: stvarni i testni',
  '`next` of the page before. If omitted: from the first event':
    'Polje `next` prethodne strane. Ako nije navedeno: od prvog događaja',
  "The bank's reference for the refund": 'Oznaka povraćaja iz banke',
  'What has been refunded of the payment in total, after this change':
    'Koliko je od plaćanja ukupno vraćeno, poslije ove promjene',
  'Unique. The ID of an event never changes': 'Jedinstven. ID događaja se nikada ne mijenja',
  'Oldest first; the payload shows the state right after the event, not the current one':
    'Od najstarijeg; podaci prikazuju stanje odmah poslije događaja, a ne sadašnje',
  'The cursor for `after` of the next request. An empty page has it too':
    'Kursor za `after` narednog zahtjeva. Ima ga i prazna strana',
  'With `cursor_expired`: the cursor to continue from': 'Uz `cursor_expired`: kursor od kojeg se nastavlja',
  'If omitted: all of your projects': 'Ako nije naveden: svi vaši projekti',
  'A whole ID or payment reference, or the beginning of customId or data':
    'Cio ID ili referenca plaćanja, ili početak polja customId ili data',
  'Width and height in pixels': 'Širina i visina u pikselima',
  'Unix seconds; from then on the link is refused': 'Unix vrijeme u sekundama; od tog trenutka link ne važi',
  'Payment reference: the short form that payers see': 'Referenca plaćanja: kratka oznaka koju vidi kupac',
  'The same as project': 'Isto što i project',
  'Signature over the other values': 'Potpis ostalih polja',
  'Once paid, redirect the browser to the resultUrl': 'Kada je plaćeno, vraća kupca na resultUrl',
  'Compact JWS, signed with HS256. The payload is {projectId, customId}, and also amount if the body has it':
    'Kompaktni JWS, potpisan sa HS256. Sadržaj je {projectId, customId}, i amount ako ga ima u tijelu',
  'A test link is always signed, with the test secret':
    'Testni link je uvijek potpisan testnim tajnim ključem',
  'The image; its text is the pay link, byte for byte':
    'Slika; u kodu je zapisan link za plaćanje, bajt po bajt',
  'This payment or another payment of the order is being checked manually, because the bank has reported no result, or something that does not match the payment. No further payment may be started':
    'Ovo plaćanje ili drugo plaćanje iste narudžbe ručno se provjerava, jer banka nije javila ishod ili je javila nešto što se ne slaže sa plaćanjem. Novo plaćanje se ne može započeti',
  'What the operator decided after a review': 'Šta je operater odlučio nakon provjere',
  'What the operator decided after a review; from then on, `successful` follows this decision':
    'Šta je operater odlučio nakon provjere; od tada `successful` odgovara toj odluci',
  'Whether the payment counts as paid. `resolution` decides if there is one, otherwise `state`':
    'Da li se plaćanje računa kao plaćeno. Odlučuje polje `resolution` ako postoji, inače polje `state`',
  'Whether the payment counts as paid. `resolution` decides if there is one, otherwise `status`':
    'Da li se plaćanje računa kao plaćeno. Odlučuje polje `resolution` ako postoji, inače polje `status`',
  'Whether the order counts as paid: by the decision after a review if there was one, else by `state`':
    'Da li se narudžba smatra plaćenom: po odluci nakon provjere ako je bila, inače po polju `state`',
  'The bank has reported no result, or something that does not match the payment; the payment is being checked manually':
    'Banka nije javila ishod, ili je javila nešto što se ne slaže sa plaćanjem; plaćanje se ručno provjerava',
  'Why, in the words of the operator': 'Zašto, riječima operatera',
  'A page, or JSON for a program': 'Stranica, ili JSON za programe',
  'A page': 'Stranica',
  'Your question; 4000 characters at most': 'Vaše pitanje; najviše 4000 znakova',
  'The project the question is about': 'Projekat na koji se pitanje odnosi',
  "The answer's language; if omitted: the language of your browser or account":
    'Jezik odgovora; ako nije naveden: jezik vašeg pregledača ili naloga',
  Markdown: 'U formatu Markdown',
  'The model that wrote the answer; null if the answer is quoted from the documentation':
    'Model koji je napisao odgovor; null ako je odgovor citat iz dokumentacije',

  'Where payers come back: any http or https page':
    'Bilo koja http ili https stranica; na nju se kupac vraća',
  "Where callbacks go: a public https URL, or the project's inbox":
    'Javna https adresa ili prijemno sanduče projekta; tu idu obavještenja',
  'null: there was no response': 'null: odgovora nije bilo',
  'What the CLI reported about a forwarded callback; nothing depends on it':
    'Šta je CLI javio o proslijeđenom obavještenju; od toga ništa ne zavisi',
  'Report how your program responded to a forwarded callback':
    'Javlja kako je vaš program odgovorio na proslijeđeno obavještenje',
  'The exact text that was signed': 'Tačan tekst koji je potpisan',
  'Whether the signature was valid when the request arrived': 'Da li je potpis bio ispravan pri prijemu',
  'What arrived in the inbox of a project without a server':
    'Šta je stiglo u prijemno sanduče projekta koji nema server',
  'Where test callbacks go: a public https URL. Without this URL, they go to a connected CLI or to apiUrl':
    'Javna https adresa za testna obavještenja; bez nje idu povezanom CLI-ju ili na apiUrl',
  'Where payers come back: a public https URL, or the URL that is already saved':
    'Javna https adresa ili ona koja je već sačuvana; na nju se kupac vraća',
  'The state of an order, for the owner and all members':
    'Stanje narudžbe, za vlasnika i sve članove projekta',
  'Volume, net amounts, counts and callback times over hours or days':
    'Promet, neto iznosi, brojevi i vremena odgovora na obavještenja po satima ili danima',
  'What was withdrawn because of disputes, minus what was returned to the merchant for disputes that were won':
    'Povučeno zbog sporova, umanjeno za ono što je po dobijenim sporovima vraćeno prodavcu',
  'Refunds that succeeded in this period, including refunds of older payments':
    'Povraćaji koji su uspjeli u ovom periodu, uključujući povraćaje starijih plaćanja',
  'Sum of the refunds that succeeded in this period, minus the refunds whose money returned to the merchant in this period':
    'Zbir povraćaja koji su uspjeli u ovom periodu, umanjen za povraćaje čiji se novac u ovom periodu vratio prodavcu',
  'Disputes opened in this period, including disputes of older payments; inquiries are not counted':
    'Sporovi otvoreni u ovom periodu, uključujući sporove o starijim plaćanjima; upiti se ne broje',
  'volume − refunded − disputed': 'Računa se: volume − refunded − disputed',
  'Payments started at this time or later; if omitted: the last seven days, today included':
    'Plaćanja započeta u ovo vrijeme ili kasnije; ako nije navedeno: posljednjih sedam dana, uključujući današnji',
  'Payments started before this time': 'Plaćanja započeta prije ovog vremena',
  'Sum of the successful payments': 'Ukupan iznos uspješnih plaćanja',
  'All payments started, including those still open': 'Sva započeta plaćanja, i ona koja još traju',
  'Failed or expired': 'Neuspješna ili istekla',
  'Payments that failed or expired and are in review. Until the decision, they count neither as succeeded nor as failed':
    'Neuspješna ili istekla plaćanja koja su na provjeri. Do odluke se ne računaju ni kao uspješna ni kao neuspješna',
  'Share of successful payments among completed ones. Null while no payment is completed':
    'Udio uspješnih među završenima; null dok nema završenih',
  'Response time of delivered callbacks': 'Vrijeme odgovora na isporučena obavještenja',
  'When the hour or the day begins': 'Početak sata ili dana',
  'The callback log': 'Dnevnik obavještenja',
  'A whole callback or transaction ID, or the beginning of customId':
    'Cio ID obavještenja ili transakcije, ili početak polja customId',
  'nextCursor of the page before': 'nextCursor prethodne strane',
  'One callback with its attempts': 'Jedno obavještenje sa pokušajima',
  'The body as sent, with the value of `hash` (its signature) masked':
    'Tijelo kako se šalje, sa sakrivenom vrijednošću polja `hash` (potpisom)',
  'The technical error': 'Tehnička greška',
  'What went wrong, in plain words': 'Šta nije u redu, običnim riječima',
  'What you can do about it': 'Šta možete da uradite',
  'When the payer was sent back to the merchant. Before that, the service waits up to 3 s until the callback is accepted. Null: the payer was not sent back yet, or the service did not wait for this callback':
    'Kada je kupac vraćen na sajt prodavca. Prije toga servis čeka najviše 3 s da obavještenje bude prihvaćeno. Null: kupac još nije vraćen ili servis nije čekao ovo obavještenje',
  'Milliseconds from the acceptance of the callback to the return of the payer. Null: it was not accepted before the payer returned':
    'Milisekunde od prihvatanja obavještenja do povratka kupca. Null: prije povratka nije prihvaćeno',
  'Send one callback again, under the same ID': 'Ponovo šalje jedno obavještenje, sa istim ID-jem',
  'Required to resend a callback that was delivered': 'Obavezno za ponovno slanje isporučenog obavještenja',
  'Resend all callbacks not delivered since a given time':
    'Ponovo šalje sva obavještenja koja od zadatog vremena nijesu isporučena',
  'Send a test callback now, without a payment': 'Odmah šalje testno obavještenje, bez plaćanja',
  'url: `testApiUrl`, else `apiUrl`; listeners: every connected CLI. If omitted: `testApiUrl`, else connected CLIs, else `apiUrl`':
    'url: `testApiUrl`, inače `apiUrl`; listeners: svi povezani CLI-ji. Ako nije navedeno: `testApiUrl`, inače povezani CLI-ji, inače `apiUrl`',
  'The stream: callbacks as they happen, as server-sent events':
    'Tok: obavještenja čim nastanu, kao server-sent events',
  'Run the integration exam, or get its requests to send them yourself':
    'Pokreće ispit integracije ili vraća njegove zahtjeve da ih pošaljete sami',
  'Must be true if `testApiUrl` is not set or equals `apiUrl`, because the requests then go to `apiUrl`':
    'Mora biti true ako `testApiUrl` nije upisan ili je isti kao `apiUrl`, jer se zahtjevi tada šalju na `apiUrl`',
  'caller: the signed requests are returned, and the caller sends them to a machine the service cannot reach':
    'caller: odgovor su potpisani zahtjevi, koje šaljete računaru do kojeg servis ne može da dođe',
  'The responses to the requests that `deliver: caller` returned. The service then returns the report':
    'Odgovori na zahtjeve dobijene uz `deliver: caller`. Servis tada vraća izvještaj',
  'Null when there was no response': 'null kada odgovora nije bilo',
  'Why there was no response': 'Zašto odgovora nije bilo',
  'How the response begins': 'Početak odgovora',
  'Only with `answers`: the customId of the first request, so that the report can name the order':
    'Samo uz `answers`: customId iz prvog zahtjeva, da bi izvještaj mogao da navede narudžbu',
  'Whether `url` is the live callback URL': 'Da li je `url` stvarni URL za obavještenja',
  'Null when the caller sent the requests': 'null kada je zahtjeve slao pozivalac',
  'Null when passed': 'null kada je položeno',
  'False when the exam ended before this request': 'false kada je ispit prekinut prije ovog zahtjeva',
  "Beginning of the merchant's response, without secrets and signatures":
    'Početak odgovora prodavčevog servera, bez tajnih ključeva i potpisa',
  'accepted: with a 2xx; refused: with a 4xx': 'accepted: odgovor 2xx; refused: odgovor 4xx',
  'Why the signature of a refused callback does not match':
    'Zašto potpis odbijenog obavještenja nije ispravan',
  'The raw body, exactly as it came': 'Neobrađeno tijelo (raw body), tačno kako je stiglo',
  'The event that the body names; null if it is not one of our events':
    'Događaj koji tijelo navodi; null ako to nije nijedan od naših događaja',
  'What that event means': 'Šta taj događaj znači',
  'Whether correct merchant code would accept this request now':
    'Da li bi ispravno napisan server prodavca sada prihvatio ovaj zahtjev',
  'A signed pay link as text (a live link needs a token with the permission write)':
    'Potpisan link za plaćanje kao tekst (za stvarni link potreban je token sa dozvolom write)',
  "Only signed pay links are accepted; the portal's form sets true":
    'Projekat prima samo potpisane linkove; obrazac na portalu šalje true',
  'Only signed pay links are accepted; if omitted: unchanged':
    'Projekat prima samo potpisane linkove; ako nije navedeno, ostaje kako jeste',
  'The ID of the project': 'ID projekta',
  'Make the prepared secret the current one; if omitted or false: a new one is issued':
    'Pripremljeni ključ postaje važeći; ako polje izostane ili je false, izdaje se novi',
  'The webhook-id of the callback': 'webhook-id obavještenja',
  'Sent to your server when a payment has ended': 'Šta stiže vašem serveru kada se plaćanje završi',
  'The ID of this callback, the same on every attempt': 'ID obavještenja, isti pri svakom pokušaju',
  'When this attempt was signed, in Unix seconds':
    'Kada je ovaj pokušaj potpisan, kao Unix vrijeme u sekundama',
  "`v1,` followed by the base64 of HMAC-SHA256 over `id.timestamp.body`, with the project's live or test secret":
    '`v1,` i zatim base64 zapis HMAC-SHA256 vrijednosti teksta `id.timestamp.body`, sa stvarnim ili testnim tajnim ključem projekta',
  'true exactly when status is success': 'true samo kada je status success',
  'The order ID; only when the payment had one': 'Broj narudžbe; samo ako ga je plaćanje imalo',
  'The description; only when the payment had one': 'Opis; samo ako ga je plaćanje imalo',
  "Why it failed: declined, insufficient_funds, kyc_required, cancelled, expired, not_charged, upstream_unavailable, amount_too_small, amount_too_large, resolved_unpaid, or the bank's own code":
    'Zašto nije uspjelo: declined, insufficient_funds, kyc_required, cancelled, expired, not_charged, upstream_unavailable, amount_too_small, amount_too_large, resolved_unpaid ili sopstveni kod banke',
  "Why it failed: declined, insufficient_funds, kyc_required, cancelled, expired, not_charged, upstream_unavailable, amount_too_small, amount_too_large, resolved_unpaid, or the bank's own code; resolved_paid: the operator decided that it counts as paid":
    'Zašto nije uspjelo: declined, insufficient_funds, kyc_required, cancelled, expired, not_charged, upstream_unavailable, amount_too_small, amount_too_large, resolved_unpaid ili sopstveni kod banke; resolved_paid: operater je odlučio da se smatra plaćenim',
  'JWT, HS256: all other fields, iat, and the webhook-id as jti':
    'JWT, HS256: sva ostala polja, iat, i webhook-id kao jti',
  'The name of the project': 'Naziv projekta',
  'For POST /pay; valid for 60 minutes': 'Za POST /pay; važi 60 minuta',
  'Only if the payment belongs to the checkout attempt that this browser or program made':
    'Samo ako plaćanje pripada pokušaju iz ovog pregledača ili programa',
  'Where the payer goes next: to the resultUrl, or to the page where they finish the payment':
    'Kuda kupac ide dalje: na resultUrl ili na stranicu na kojoj treba da završi plaćanje',
  '`listeners` when it was forwarded to the CLI': '`listeners` za obavještenje proslijeđeno CLI-ju',
}

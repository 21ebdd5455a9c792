// What the API's description says in English, in Montenegrin. A sentence that is missing here fails the test of the
// reference page.
export const apiTexts: Readonly<Record<string, string>> = {
  'Register a project': 'Kreira projekat',
  'Change a project': 'Mijenja projekat',
  'List your projects': 'Spisak vaših projekata',
  'One project': 'Jedan projekat',
  'Show the live secret (needs step-up)': 'Prikazuje produkcijski tajni ključ (traži potvrdu identiteta)',
  'Replace the live secret (needs step-up)': 'Zamjenjuje produkcijski tajni ključ (traži potvrdu identiteta)',
  'A pay link as a QR code': 'Link za plaćanje kao QR kod',
  'List payments': 'Spisak plaćanja',
  'The list at its old address': 'Isti spisak na staroj adresi',
  'Was this order paid?': 'Da li je ova narudžba plaćena?',
  'The hosted checkout page': 'Stranica za plaćanje',
  'Confirm the payment shown': 'Potvrđuje prikazano plaćanje',
  'Plain confirmation page': 'Jednostavna stranica sa potvrdom',
  "A payment's live state, then its receipt": 'Trenutno stanje plaćanja, a zatim potvrda',
  'Ask about the integration': 'Pitanje o integraciji',

  'ISO 8601, UTC, milliseconds': 'ISO 8601, UTC, sa milisekundama',
  'ISO 8601 with a zone': 'ISO 8601 sa vremenskom zonom',
  "Whole number of the currency's smallest unit": 'Cio broj u najmanjim jedinicama valute',
  "The shop's own name of the order; no invisible characters, no outer spaces":
    'Oznaka narudžbe u vašoj prodavnici; bez nevidljivih znakova i bez razmaka na početku i na kraju',
  "The page's language": 'Jezik stranice',
  'What payers read above the amount': 'Naziv koji kupac vidi iznad iznosa',
  'False once counting stopped at 10000': 'false kada je brojanje stalo na 10000',
  'Created before this time': 'Kreirano prije ovog vremena',
  'Created at this time or later': 'Kreirano u ovo vrijeme ili kasnije',
  'At most 2048 bytes of UTF-8; comes back in the callback as it was':
    'Najviše 2048 bajtova u UTF-8; u obavještenju se vraća nepromijenjeno',
  'Absent: all of your projects': 'Ako nije naveden: svi vaši projekti',
  'A whole id or reference, or the beginning of customId or data':
    'Cio id ili oznaka, ili početak polja customId ili data',
  'Width and height in pixels': 'Širina i visina u pikselima',
  'Unix seconds; from then on the link is refused': 'Unix vrijeme u sekundama; od tog trenutka link ne važi',
  'The short form that payers see': 'Kratka oznaka koju vidi kupac',
  'The same as project': 'Isto što i project',
  'Signature over the other values': 'Potpis ostalih polja',
  'Once paid, lead the browser on to the shop': 'Kada je plaćeno, vraća kupca u prodavnicu',
  'Compact JWS, HS256, payload {projectId, customId} and amount if the body has it':
    'Kompaktni JWS, HS256, sadržaj {projectId, customId} i amount ako ga ima u tijelu',
  'A test link is always signed, with the test secret':
    'Testni link je uvijek potpisan testnim tajnim ključem',
  'The image; its text is the pay link, byte for byte':
    'Slika; u kodu je zapisan link za plaćanje, bajt po bajt',
  'It ended unpaid, but a charge was reported: do not pay again':
    'Završeno bez naplate, a zatim je javljena naplata: nemojte plaćati ponovo',
  'A page, or JSON for a program': 'Stranica, ili JSON za programe',
  'A page': 'Stranica',
  'Your question; 4000 characters at most': 'Vaše pitanje; najviše 4000 znakova',
  'Answer for this project of yours': 'Odgovor za ovaj vaš projekat',
  "The answer's language; absent: yours": 'Jezik odgovora; ako nije naveden: vaš jezik',
  Markdown: 'U formatu Markdown',
  'Which model wrote it; none when it is quoted from the documentation':
    'Model koji je napisao odgovor; nema ga kada je odgovor citat iz dokumentacije',
}

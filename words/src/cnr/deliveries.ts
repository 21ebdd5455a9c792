import { CALLBACK_TIMEOUT_MS } from '@pazar/contract/limits'
import type { Catalogue } from '../catalogue-type.ts'

const answered = (status: number) => `Vaš server je odgovorio sa HTTP ${status}`

interface Stated {
  status: number
  reason: string | null
}
const stated = ({ status, reason }: Stated) =>
  reason === null ? `${answered(status)} i naveo razlog.` : `${answered(status)}. Njegov odgovor: „${reason}“`
const inLog = ({ reason }: Stated) => (reason === null ? ' Odgovor je u dnevniku obavještenja.' : '')

export const deliveries: Catalogue['deliveries'] = {
  causes: {
    stated: (facts) => ({
      cause: stated(facts),
      fix: `Otklonite problem naveden u odgovoru. Ako odgovor nije iz vaše prodavnice, provjerite šta još obrađuje zahtjeve na URL-u za obavještenja.${inLog(facts)}`,
    }),
    stated_404: (facts) => ({
      cause: stated(facts),
      fix: `Otklonite problem naveden u odgovoru. Ako odgovor nije iz vaše prodavnice, uporedite URL za obavještenja sa putanjom na svom serveru.${inLog(facts)}`,
    }),
    redirect: ({ target }) => ({
      cause:
        target === null
          ? 'Vaš server je odgovorio preusmjerenjem. Preusmjerenja ne pratimo.'
          : `Vaš server je odgovorio preusmjerenjem na ${target}. Preusmjerenja ne pratimo.`,
      fix: 'Kao URL za obavještenja upišite krajnju adresu: provjerite https, „www.“ i kosu crtu na kraju.',
    }),
    tls_expired: {
      cause: 'Sertifikat vašeg servera je istekao ili još ne važi.',
      fix: 'Obnovite sertifikat i provjerite da li automatska obnova radi.',
    },
    tls_name: {
      cause: 'Sertifikat vašeg servera je izdat za drugo ime.',
      fix: 'Postavite sertifikat izdat za ime iz URL-a za obavještenja.',
    },
    tls_chain: {
      cause: 'Sertifikat vašeg servera ne vodi do izdavača kojem vjerujemo.',
      fix: 'Šaljite cijeli lanac sa međusertifikatima (fullchain.pem); samopotpisani sertifikati se ne prihvataju.',
    },
    tls: {
      cause: 'Bezbjedna veza nije uspostavljena.',
      fix: 'Provjerite TLS podešavanja servera: verzija 1.2 ili novija i važeći sertifikat.',
    },
    timeout: {
      cause: `Vaš server nije odgovorio u roku od ${CALLBACK_TIMEOUT_MS / 1000} sekundi.`,
      fix: 'Sačuvajte rezultat i odmah odgovorite sa 200; ono što traje duže, kao što su slanje e-pošte i ažuriranje zaliha, obavite poslije.',
    },
    body_late: {
      cause: 'Vaš server je prihvatio obavještenje, ali nije završio svoj odgovor.',
      fix: 'Završite odgovor: pošaljite prazno tijelo ili tačan Content-Length.',
    },
    unauthorized: ({ status }) => ({
      cause: `${answered(status)}: traži prijavu ili token.`,
      fix: 'Izuzmite putanju za obavještenja od prijave, CSRF provjere i pravila zaštitnog zida. Potpis potvrđuje da obavještenja dolaze od nas.',
    }),
    bot_wall: ({ status }) => ({
      cause: `${answered(status)} i stranicom za pregledače: zahtjev zaustavlja zaštitni zid ili zaštita od botova.`,
      fix: 'Izuzmite putanju za obavještenja od zaštite od botova (Cloudflare, reCAPTCHA, ModSecurity).',
    }),
    not_found: {
      cause: 'Vaš server je odgovorio sa HTTP 404: na ovoj putanji nema ničega.',
      fix: 'Uporedite URL za obavještenja sa putanjom na svom serveru, slovo po slovo.',
    },
    method_not_allowed: {
      cause: 'Vaš server je odgovorio sa HTTP 405: ova putanja ne prima POST.',
      fix: 'Omogućite da putanja za obavještenja prima POST sa JSON sadržajem.',
    },
    bad_request: ({ status }) => ({
      cause: `${answered(status)}: vaš kod nije mogao da obradi zahtjev.`,
      fix: 'Provjerite potpis nad neobrađenim tijelom (raw body), prije obrade JSON sadržaja. Odgovor vašeg servera je u dnevniku obavještenja.',
    }),
    not_ready: ({ status }) => ({
      cause: `${answered(status)}, što obično znači da narudžba još nije upisana.`,
      fix: 'Ako je tako, sačuvajte narudžbu prije nego što kupca pošaljete na plaćanje. Na obavještenje koje ste već obradili odgovorite sa 200.',
    }),
    gone: {
      cause:
        'Vaš server je odgovorio sa HTTP 410: adresa je trajno uklonjena. Ovo obavještenje više ne pokušavamo da isporučimo.',
      fix: 'Upišite novi URL za obavještenja i pošaljite obavještenje ponovo.',
    },
    too_many_requests: {
      cause: 'Vaš server je odgovorio sa HTTP 429: poslato je više zahtjeva nego što dozvoljava.',
      fix: 'Povećajte ograničenje na putanji za obavještenja. Ako pošaljete Retry-After, sami ćemo usporiti.',
    },
    server_error: ({ status }) => ({
      cause: `${answered(status)}: greška u vašem kodu ili na hostingu.`,
      fix: 'U dnevniku grešaka svog servera potražite zapis iz trenutka ovog odgovora. Odgovor vašeg servera je u dnevniku obavještenja.',
    }),
    other_status: ({ status }) => ({
      cause: `${answered(status)}. Prihvaćenim se smatraju samo odgovori od 200 do 299.`,
      fix: 'Odgovorite sa 200 kada sačuvate rezultat.',
    }),
    not_http: {
      cause: 'Odgovor sa ove adrese nije ispravan HTTP.',
      fix: 'Provjerite port u URL-u za obavještenja i zaglavlja koja vaš server šalje.',
    },
    blocked_address: {
      cause: 'URL za obavještenja ne vodi na javnu adresu.',
      fix: 'Upotrijebite javnu https adresu. Za sopstveni računar upotrijebite komandu listen.',
    },
    url_refused: ({ rule }) => ({
      cause: 'Ništa nije poslato, jer ovaj URL za obavještenja nije dozvoljen.',
      fix: rule,
    }),
    dns: {
      cause: 'Domen iz URL-a za obavještenja nije pronađen.',
      fix: 'Provjerite da li je domen dobro napisan i da li su njegovi DNS zapisi ispravni.',
    },
    connect_refused: {
      cause: 'Vaš server je odbio vezu.',
      fix: 'Provjerite da li veb-server radi i da li sluša na portu iz URL-a za obavještenja.',
    },
    connect_lost: {
      cause: 'Vaš server je prekinuo vezu prije nego što je odgovorio.',
      fix: 'U dnevniku servera potražite pad ili ponovno pokretanje, i provjerite vremenska ograničenja proksija ispred njega.',
    },
    connect: {
      cause: 'Veza sa vašim serverom nije uspostavljena.',
      fix: 'Provjerite da li server radi i da nas ne zaustavlja zaštitni zid.',
    },
    too_large: {
      cause: 'Zaglavlja u odgovoru vašeg servera su prevelika.',
      fix: 'Odgovorite bez kolačića i bez velikih zaglavlja.',
    },
    interrupted: {
      cause: 'Ovaj pokušaj je prekinut na našoj strani i ne znamo da li je obavještenje stiglo.',
      fix: 'Ako stigne ponovo, ima isti webhook-id: po njemu vaš server može da ga prepozna i preskoči.',
    },
    not_sent: {
      cause: 'Zbog greške na našoj strani vašem serveru ništa nije poslato.',
      fix: 'Ne treba ništa da mijenjate. Ako novi pokušaj nije planiran, pokušajte ponovo kasnije.',
    },
    in_inbox: {
      cause: 'Stavljeno je u prijemno sanduče projekta; ništa nije poslato, jer projekat još nema server.',
      fix: 'Pročitajte ga na stranici „Prijemno sanduče“. Kada server bude spreman, u podešavanjima unesite URL za obavještenja.',
    },
    live_inbox: {
      cause:
        'Ništa nije poslato: URL za obavještenja je prijemno sanduče, koje ne prima stvarna obavještenja.',
      fix: 'U podešavanjima unesite URL za obavještenja svog servera. Obavještenje se zatim isporučuje pri sljedećem pokušaju; ako više nema pokušaja, pošaljite ga ponovo.',
    },
    handed_over: {
      cause:
        'Proslijeđeno je CLI-ju (komanda listen). Odgovor vašeg servera vidi se u terminalu CLI-ja, a i u dnevniku obavještenja čim ga CLI javi.',
      fix: 'Ako želite da se pošalje ponovo, u dnevniku obavještenja pritisnite „Pošalji još jednom“; u CLI-ju je to „deliveries resend“ sa --again.',
    },
    reported: ({ status }) => ({
      cause:
        status === null
          ? 'Proslijeđeno je CLI-ju (komanda listen), koji je javio da vaš server nije odgovorio.'
          : `Proslijeđeno je CLI-ju (komanda listen), koji je javio da je vaš server odgovorio sa HTTP ${status}.`,
      fix: 'Ako želite da se pošalje ponovo, u dnevniku obavještenja pritisnite „Pošalji još jednom“; u CLI-ju je to „deliveries resend“ sa --again.',
    }),
    no_listener: {
      cause: 'Nijedan CLI nije povezan sa ovim projektom.',
      fix: 'Pokrenite komandu listen, ili pošaljite testno obavještenje na URL umjesto CLI-ju (to: url).',
    },
  },
  columns: {
    createdAt: 'Vrijeme (UTC)',
    localTime: (timeZone) => `Lokalno vrijeme (${timeZone})`,
    id: 'ID obavještenja',
    transactionId: 'ID transakcije',
    mode: 'Režim',
    result: 'Rezultat',
    status: 'Status obavještenja',
    amount: 'Iznos',
    amountMinor: 'Iznos u najmanjim jedinicama',
    currency: 'Valuta',
    customId: 'Broj narudžbe',
    data: 'Opis',
    attempts: 'Broj pokušaja',
    nextAt: 'Sljedeći pokušaj (UTC)',
    deliveredAt: 'Isporučeno (UTC)',
    lastAttemptAt: 'Posljednji pokušaj (UTC)',
    lastOutcome: 'Ishod posljednjeg pokušaja',
    lastStatusCode: 'Posljednji HTTP status',
    lastDurationMs: 'Trajanje posljednjeg pokušaja (ms)',
    url: 'Poslato na',
    cause: 'Uzrok',
    event: 'Događaj',
    refundId: 'ID povraćaja',
    disputeId: 'ID spora',
    reportedStatusCode: 'Statusni kod koji je javio CLI',
    reportedDurationMs: 'Trajanje koje je javio CLI (ms)',
  },
}

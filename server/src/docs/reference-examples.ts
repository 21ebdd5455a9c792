// A shell command for every route of the reference. The guide's test runs each of them.

const TOKEN = `-H "authorization: Bearer $PAZAR_TOKEN"`
/** A refund token can refund and read. No other token can refund. */
const REFUND_TOKEN = `-H "authorization: Bearer $PAZAR_REFUND_TOKEN"`
const JSON_TYPE = `-H 'content-type: application/json'`

/** A longer body has one field per line, so that nothing runs past the edge of the page. */
const BODY_CHARACTERS_MAX = 48

function toBody(body: string): string {
  if (body.length <= BODY_CHARACTERS_MAX) return body
  const fields = body.slice(1, -1).split(/,(?="\w+":)/)
  return `{\n${fields.map((field) => `    ${field.replace('":', '": ')}`).join(',\n')}\n  }`
}

const CALL_CHARACTERS_MAX = 56

function toCall(url: string): string {
  const call = `curl -s "$PAZAR_BASE_URL${url}"`
  return call.length > CALL_CHARACTERS_MAX ? call.replace(' "', ' \\\n  "') : call
}

function post(url: string, body: string, options = TOKEN): string {
  return [toCall(url), `  ${options}`, `  ${JSON_TYPE}`, `  -d '${toBody(body)}'`]
    .filter((line) => line.trim() !== '')
    .join(' \\\n')
}

function get(url: string, ...values: string[]): string {
  const query = values.map((value) => `-d ${value}`).join(' ')
  const lines = [toCall(url), query === '' ? '' : `  -G ${query}`, `  ${TOKEN}`]
  return lines.filter((line) => line !== '').join(' \\\n')
}

const PROJECT_URL = '/portal/api/projects/$PAZAR_PROJECT_ID'

/** Shell code that sets LINK to a signed link, because every project accepts signed links. */
function toLink(body: string): string {
  return `LINK=$(${post(`${PROJECT_URL}/pay-link`, body)} |\n  sed 's/.*"url":"\\([^"]*\\)".*/\\1/')`
}

/** The project's id inside a body. This text ends the single quotes of the shell and starts them again. */
const PROJECT = `"'$PAZAR_PROJECT_ID'"`

function toTemplate(route: string): string {
  return `/portal/api/projects/{id}/${route}`
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'POST /sdk/project/add': post(
    '/sdk/project/add',
    `{"name":"Knjižara","resultUrl":"https://shop.example.com/thanks","apiUrl":"https://shop.example.com/pazar/callback"}`,
  ),
  'POST /sdk/project/update': post(
    '/sdk/project/update',
    `{"projectId":${PROJECT},"name":"Knjižara i papirnica"}`,
  ),
  'POST /sdk/project/list': post('/sdk/project/list', '{}'),
  'POST /sdk/project/get': post('/sdk/project/get', `{"projectId":${PROJECT}}`),
  'POST /sdk/project/seeSecret': post('/sdk/project/seeSecret', `{"projectId":${PROJECT}}`, '-b cookies.txt'),
  'POST /sdk/project/rotateSecret': post(
    '/sdk/project/rotateSecret',
    `{"projectId":${PROJECT}}`,
    '-b cookies.txt',
  ),
  'POST /sdk/project/qr': `${post('/sdk/project/qr', `{"project":${PROJECT},"amount":"1500","data":"Order 7","customId":"order-7","mode":"test"}`)} \\\n  -o order-7.png`,
  'POST /sdk/transactions/list': post(
    '/sdk/transactions/list',
    `{"projectId":${PROJECT},"state":"succeeded","limit":10}`,
  ),
  'POST /sdk/transaction/get': post(
    '/sdk/transaction/get',
    `{"projectId":${PROJECT},"customId":"order-7","mode":"test"}`,
  ),
  'POST /sdk/events/list': post('/sdk/events/list', `{"projectId":${PROJECT},"limit":10}`),
  'POST /transactions/list': post('/transactions/list', `{"projectId":${PROJECT},"limit":10}`),
  'POST /sdk/transaction/checkStatus': `b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
HEAD=$(printf '{"alg":"HS256","typ":"JWT"}' | b64)
BODY=$(printf '{"projectId":"%s","customId":"order-7"}' "$PAZAR_PROJECT_ID" | b64)
SIG=$(printf %s "$HEAD.$BODY" |
  openssl dgst -sha256 -hmac "$PAZAR_SECRET" -binary | b64)
${post('/sdk/transaction/checkStatus', `{"projectId":${PROJECT},"customId":"order-7","hash":"'$HEAD.$BODY.$SIG'"}`, '')}`,
  'POST /sdk/transaction/refund': post(
    '/sdk/transaction/refund',
    `{"projectId":${PROJECT},"transactionId":"'$PAZAR_TRANSACTION_ID'","amount":"500","idempotencyKey":"order-7-item-2"}`,
    REFUND_TOKEN,
  ),
  'GET /pay': `${toLink('{"amount":"1500","data":"Order 8","customId":"order-8","mode":"test"}')}
curl -s "$LINK" -H 'accept: application/json'`,
  'POST /pay': `${toLink('{"amount":"1500","data":"Order 8","customId":"order-8","mode":"test"}')}
TOKEN=$(curl -s "$LINK" -H 'accept: application/json' |
  sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')
${post('/pay', `{"token":"'$TOKEN'"}`, '')}`,
  'GET /pay/successful': `curl -s "$PAZAR_BASE_URL/pay/successful?status=success" \\
  -H 'accept: application/json'`,
  'GET /pay/{transactionId}': `curl -s "$PAZAR_BASE_URL/pay/$PAZAR_TRANSACTION_ID" \\
  -H 'accept: application/json'`,
  [`POST ${toTemplate('pay-link')}`]: post(
    `${PROJECT_URL}/pay-link`,
    '{"amount":"1500","customId":"order-7","mode":"test"}',
  ),
  [`POST ${toTemplate('status-check')}`]: post(
    `${PROJECT_URL}/status-check`,
    '{"customId":"order-7","mode":"test"}',
  ),
  [`GET ${toTemplate('stats')}`]: get(`${PROJECT_URL}/stats`, 'mode=test'),
  [`GET ${toTemplate('statement')}`]: get(`${PROJECT_URL}/statement`, 'month=2026-11', 'mode=test'),
  [`GET ${toTemplate('deliveries')}`]: get(`${PROJECT_URL}/deliveries`, 'mode=test', 'limit=10'),
  [`GET ${toTemplate('inbox')}`]: get(`${PROJECT_URL}/inbox`, 'limit=10'),
  [`POST ${toTemplate('test-callbacks')}`]: post(
    `${PROJECT_URL}/test-callbacks`,
    '{"status":"success","amount":"1500","customId":"order-7"}',
  ),
  [`GET ${toTemplate('deliveries/{callbackId}')}`]: get(`${PROJECT_URL}/deliveries/$PAZAR_CALLBACK_ID`),
  [`POST ${toTemplate('deliveries/{callbackId}/resend')}`]: post(
    `${PROJECT_URL}/deliveries/$PAZAR_CALLBACK_ID/resend`,
    '{"again":true}',
  ),
  [`POST ${toTemplate('deliveries/resend-failed')}`]: post(
    `${PROJECT_URL}/deliveries/resend-failed`,
    '{"since":"2026-11-01T00:00:00Z","mode":"test"}',
  ),
  [`GET ${toTemplate('events')}`]: `# Without --max-time the stream goes on until you end it.
curl -sN --max-time 2 "$PAZAR_BASE_URL${PROJECT_URL}/events" \\
  ${TOKEN} || true`,
  [`POST ${toTemplate('events/report')}`]: `curl -sN "$PAZAR_BASE_URL${PROJECT_URL}/events" \\
  ${TOKEN} > events.txt & LISTENER=$!
until grep -qs connected events.txt; do sleep 0.2; done
CALLBACK=$(${post(`${PROJECT_URL}/test-callbacks`, '{"status":"success","amount":"1500","to":"listeners"}')} |
  sed 's/.*"callback":{"id":"\\([^"]*\\)".*/\\1/')
${post(`${PROJECT_URL}/events/report`, `{"callbackId":"'$CALLBACK'","statusCode":200,"durationMs":42}`)}
kill $LISTENER`,
  [`POST ${toTemplate('exam')}`]: post(`${PROJECT_URL}/exam`, '{"deliver":"caller"}'),
  [`POST ${toTemplate('verify-signature')}`]: post(
    `${PROJECT_URL}/verify-signature`,
    '{"mode":"test","headers":{"webhook-id":"msg_019a8f0e6b1c7c3e9a512f60d4b8e913"},"body":"{}"}',
  ),
  'POST /sdk/ai/prompt': post('/sdk/ai/prompt', '{"prompt":"How do I verify a callback?"}'),
}

export function findExample(method: string, url: string): string | null {
  return EXAMPLES[`${method.toUpperCase()} ${url}`] ?? null
}

// A command for every route of the reference, as it would be typed. The guide's test runs each of them.

const TOKEN = `-H "authorization: Bearer $PAZAR_TOKEN"`
const JSON_TYPE = `-H 'content-type: application/json'`

function post(url: string, body: string, more = TOKEN): string {
  return [`curl -s "$PAZAR_BASE_URL${url}" ${more}`, `  ${JSON_TYPE}`, `  -d '${body}'`]
    .filter((line) => line.trim() !== '')
    .join(' \\\n')
}

/** A value of the reader's terminal inside of a body in single quotes. */
const PROJECT = `"'$PAZAR_PROJECT_ID'"`

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
  'POST /sdk/project/qr': `${post('/sdk/project/qr', `{"project":${PROJECT},"amount":"1500","data":"Order 7","customId":"order-7"}`)} \\\n  -o order-7.png`,
  'POST /sdk/transactions/list': post(
    '/sdk/transactions/list',
    `{"projectId":${PROJECT},"state":"succeeded","limit":10}`,
  ),
  'POST /transactions/list': post('/transactions/list', `{"projectId":${PROJECT},"limit":10}`),
  'POST /sdk/transaction/checkStatus': `b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
HEAD=$(printf '{"alg":"HS256","typ":"JWT"}' | b64)
BODY=$(printf '{"projectId":"%s","customId":"order-7"}' "$PAZAR_PROJECT_ID" | b64)
SIG=$(printf %s "$HEAD.$BODY" | openssl dgst -sha256 -hmac "$PAZAR_SECRET" -binary | b64)
${post('/sdk/transaction/checkStatus', `{"projectId":${PROJECT},"customId":"order-7","hash":"'$HEAD.$BODY.$SIG'"}`, '')}`,
  'GET /pay': `curl -s "$PAZAR_BASE_URL/pay?amount=1500&project=$PAZAR_PROJECT_ID&data=Order%207" \\
  -H 'accept: application/json'`,
  'POST /pay': `TOKEN=$(curl -s "$PAZAR_BASE_URL/pay?amount=1500&project=$PAZAR_PROJECT_ID&data=Order%207" \\
  -H 'accept: application/json' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
${post('/pay', `{"token":"'$TOKEN'"}`, '')} | tee paid.json`,
  'GET /pay/successful': `curl -s "$PAZAR_BASE_URL/pay/successful?status=success"`,
  'GET /pay/{transactionId}': `TRANSACTION=$(sed 's/.*"transactionId":"\\([^"]*\\)".*/\\1/' paid.json)
curl -s "$PAZAR_BASE_URL/pay/$TRANSACTION" -H 'accept: application/json'`,
  'POST /sdk/ai/prompt': post('/sdk/ai/prompt', '{"prompt":"How do I verify a callback?"}'),
}

/** Null for a route that nobody wrote one for yet; the reference's test finds it. */
export function findExample(method: string, url: string): string | null {
  return EXAMPLES[`${method.toUpperCase()} ${url}`] ?? null
}

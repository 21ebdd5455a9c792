import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptOutcome } from '@pazar/contract'
import { findWrongWords, LOCALES } from '@pazar/words'
import type { Cause, AttemptFacts } from './explain.ts'
import { explain, findCause } from './explain.ts'

const newAttempt = (fields: Partial<AttemptFacts>): AttemptFacts => ({
  outcome: 'http_error',
  statusCode: null,
  error: null,
  responseExcerpt: null,
  ...fields,
})

const attemptWithStatus = (statusCode: number, responseExcerpt = ''): AttemptFacts =>
  newAttempt({ statusCode, responseExcerpt })

const URL_PROBLEMS = [
  'scheme',
  'port',
  'fragment',
  'userinfo',
  'host_name',
  'host_characters',
  'whitespace',
  'malformed',
  'too_long',
]

const CASES: readonly (readonly [AttemptFacts, Cause])[] = [
  // These deliveries have no status: the callback was forwarded to a listener or stored in the inbox, not sent to a URL.
  [newAttempt({ outcome: 'delivered' }), 'handed_over'],
  [newAttempt({ outcome: 'delivered', reported: { statusCode: 500 } }), 'reported'],
  [newAttempt({ outcome: 'delivered', error: 'stored in the inbox' }), 'in_inbox'],
  [newAttempt({ outcome: 'blocked_address', error: 'the inbox takes no live callbacks' }), 'live_inbox'],
  [newAttempt({ outcome: 'redirect', statusCode: 301, error: 'https://www.shop.me/cb' }), 'redirect'],
  [
    newAttempt({ outcome: 'tls', error: 'TLS failed: CERT_HAS_EXPIRED certificate has expired' }),
    'tls_expired',
  ],
  [newAttempt({ outcome: 'tls', error: 'certificate has expired' }), 'tls_expired'],
  [newAttempt({ outcome: 'tls', error: 'TLS failed: CERT_NOT_YET_VALID' }), 'tls_expired'],
  [newAttempt({ outcome: 'tls', error: 'TLS failed: INVALID_CA' }), 'tls_chain'],
  [newAttempt({ outcome: 'tls', error: 'TLS failed: CERT_UNTRUSTED' }), 'tls_chain'],
  [
    newAttempt({
      outcome: 'tls',
      error: "TLS failed: ERR_TLS_CERT_ALTNAME_INVALID Host: a. is not in the cert's altnames",
    }),
    'tls_name',
  ],
  [
    newAttempt({ outcome: 'tls', error: 'TLS failed: DEPTH_ZERO_SELF_SIGNED_CERT self-signed certificate' }),
    'tls_chain',
  ],
  [newAttempt({ outcome: 'tls', error: 'TLS failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'tls_chain'],
  [newAttempt({ outcome: 'tls', error: 'TLS failed: ERR_SSL_UNSUPPORTED_PROTOCOL' }), 'tls'],
  [newAttempt({ outcome: 'timeout', error: 'no answer in time' }), 'timeout'],
  [
    newAttempt({
      outcome: 'delivered',
      statusCode: 200,
      error: 'the body of the answer did not end in time',
    }),
    'body_late',
  ],
  [attemptWithStatus(401), 'unauthorized'],
  [attemptWithStatus(403), 'unauthorized'],
  [attemptWithStatus(419), 'unauthorized'],
  [attemptWithStatus(407), 'unauthorized'],
  ...[401, 403, 406, 429, 503].map(
    (status) => [attemptWithStatus(status, 'Please solve this captcha'), 'bot_wall'] as const,
  ),
  [attemptWithStatus(404, 'Please solve this captcha'), 'not_found'],
  [attemptWithStatus(403, '<title>Just a moment...</title>'), 'bot_wall'],
  [attemptWithStatus(503, '<div id="cf-error-details">Attention Required! | Cloudflare</div>'), 'bot_wall'],
  [attemptWithStatus(403, '<form class="g-recaptcha">'), 'bot_wall'],
  [attemptWithStatus(404), 'not_found'],
  [attemptWithStatus(405), 'method_not_allowed'],
  [attemptWithStatus(400), 'bad_request'],
  [attemptWithStatus(415), 'bad_request'],
  [attemptWithStatus(422), 'bad_request'],
  [attemptWithStatus(409), 'not_ready'],
  [attemptWithStatus(425), 'not_ready'],
  [attemptWithStatus(410), 'gone'],
  [attemptWithStatus(429), 'too_many_requests'],
  [attemptWithStatus(500), 'server_error'],
  [attemptWithStatus(502, '<h1>502 Bad Gateway</h1>'), 'server_error'],
  [attemptWithStatus(418), 'other_status'],
  [attemptWithStatus(304), 'other_status'],
  [newAttempt({ error: 'the answer is not valid HTTP' }), 'not_http'],
  [newAttempt({ outcome: 'blocked_address', error: 'the address is not allowed' }), 'blocked_address'],
  ...URL_PROBLEMS.map(
    (problem) =>
      [
        newAttempt({ outcome: 'blocked_address', error: `the URL is not allowed: ${problem}` }),
        'url_refused',
      ] as const,
  ),
  [newAttempt({ outcome: 'dns', error: 'name lookup failed: ENOTFOUND' }), 'dns'],
  [newAttempt({ outcome: 'connect', error: 'could not connect: ECONNREFUSED' }), 'connect_refused'],
  [newAttempt({ outcome: 'connect', error: 'connection lost before an answer: ECONNRESET' }), 'connect_lost'],
  [newAttempt({ outcome: 'connect', error: 'could not connect: not done in time' }), 'connect'],
  [newAttempt({ outcome: 'connect', error: 'no listener is connected' }), 'no_listener'],
  [newAttempt({ outcome: 'too_large', error: 'the answer has too many or too long headers' }), 'too_large'],
  [newAttempt({ outcome: 'interrupted' }), 'interrupted'],
  [newAttempt({ outcome: 'interrupted', error: 'internal error' }), 'interrupted'],
  [newAttempt({ outcome: 'interrupted', error: 'our egress failed' }), 'not_sent'],
]

for (const [facts, cause] of CASES) {
  const { outcome, statusCode, error, responseExcerpt, reported } = facts
  const shown = [outcome, statusCode, error ?? responseExcerpt, reported && 'with a report']
    .filter(Boolean)
    .join(' ')
  test(`the outcome "${shown}" is explained as "${cause}" in both languages`, () => {
    assert.equal(findCause(facts), cause)
    const [one, other] = LOCALES.map((locale) => explain(locale, facts)!)
    assert.ok(one!.cause && one!.fix && other!.cause && other!.fix)
    assert.notEqual(one!.cause, other!.cause)
    assert.deepEqual(findWrongWords(`${explain('cnr', facts)!.cause} ${explain('cnr', facts)!.fix}`), [])
  })
}

test('every outcome that an attempt can have is among the cases above', () => {
  const covered = new Set(CASES.map(([facts]) => facts.outcome))
  assert.deepEqual([...covered].toSorted(), attemptOutcome.options.toSorted())
})

test('a delivery with a status and a complete response has no explanation', () => {
  assert.equal(explain('en', newAttempt({ outcome: 'delivered', statusCode: 200 })), null)
})

test('the explanation of a redirect names the target, and the explanation of an error status names the code', () => {
  const redirect = newAttempt({
    outcome: 'redirect',
    statusCode: 307,
    error: 'https://169.254.169.254/latest',
  })
  assert.match(explain('en', redirect)!.cause, /https:\/\/169\.254\.169\.254\/latest/)
  assert.match(explain('cnr', redirect)!.cause, /https:\/\/169\.254\.169\.254\/latest/)
  assert.match(explain('en', attemptWithStatus(403))!.cause, /HTTP 403/)
})

test('if the response states a reason, the explanation quotes that reason instead of guessing, except in mails', () => {
  const noOrder = 'The shop has no order with this customId.'
  const explained = explain('en', attemptWithStatus(404, noOrder))!
  assert.equal(explained.cause, `Your server responded with HTTP 404. Its response: “${noOrder}”`)
  assert.match(explained.fix, /^Fix the problem that the response names/)
  assert.match(
    explain('cnr', attemptWithStatus(404, noOrder))!.cause,
    /Njegov odgovor: „The shop has no order/,
  )
  for (const status of [400, 401, 403, 409, 422, 500])
    assert.match(
      explain('en', attemptWithStatus(status, '{"error":"bad \\"hash\\""}'))!.cause,
      /: “bad "hash"”$/,
    )
  for (const locale of LOCALES) {
    const { cause, fix } = explain(locale, attemptWithStatus(404, noOrder), { quotes: false })!
    assert.doesNotMatch(`${cause} ${fix}`, /no order/)
    assert.deepEqual(findWrongWords(`${explain('cnr', attemptWithStatus(500, 'x y'))!.fix} `), [])
  }
})

const WITHOUT_REASON = [
  '',
  '404 page not found',
  'Not Found',
  '{"detail":"Not Found"}',
  '{"message":"Route POST:/callback not found","error":"Not Found","statusCode":404}',
  '{"message":"cut in the mid',
  '<html><body>404 Not Found</body></html>',
  'The requested URL was not found on this server.',
  'x'.repeat(300),
  '{"ok":false}',
]
for (const response of WITHOUT_REASON)
  test(`a 404 response with the body "${response.slice(0, 40)}" is explained as a wrong path`, () => {
    assert.match(explain('en', attemptWithStatus(404, response))!.cause, /nothing is at this path/)
  })

test('the explanation of a refused URL has a different fix for each broken rule', () => {
  const toFix = (problem: string) => {
    const refused = newAttempt({ outcome: 'blocked_address', error: `the URL is not allowed: ${problem}` })
    return explain('en', refused)!.fix
  }
  const fixes = URL_PROBLEMS.map(toFix)
  assert.equal(new Set(fixes).size, URL_PROBLEMS.length, fixes.join('\n'))
  assert.match(toFix('port'), /443/)
  assert.match(toFix('fragment'), /#/)
})

test('explanations do not say "below" or "above" and do not promise another attempt', () => {
  for (const locale of LOCALES)
    for (const [facts] of CASES) {
      const { cause, fix } = explain(locale, facts)!
      assert.doesNotMatch(`${cause} ${fix}`, /below|above|ispod|iznad|[Ww]e try again|pokušavamo ponovo/i)
    }
})

test('the explanation of a blocked address does not reveal the address', () => {
  const blocked = newAttempt({ outcome: 'blocked_address', error: 'the address is not allowed' })
  for (const locale of LOCALES) assert.doesNotMatch(explain(locale, blocked)!.cause, /\d+\.\d+/)
})

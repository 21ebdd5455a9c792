import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptOutcome } from '@pazar/contract'
import { findWrongWords, LOCALES } from '@pazar/words'
import type { Cause, AttemptFacts } from './explain.ts'
import { explain, findCause } from './explain.ts'

const tried = (fields: Partial<AttemptFacts>): AttemptFacts => ({
  outcome: 'http_error',
  statusCode: null,
  error: null,
  responseExcerpt: null,
  ...fields,
})

const status = (statusCode: number, responseExcerpt = ''): AttemptFacts =>
  tried({ statusCode, responseExcerpt })

const REFUSALS = [
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
  [tried({ outcome: 'delivered' }), 'handed_over'],
  [tried({ outcome: 'redirect', statusCode: 301, error: 'https://www.shop.me/cb' }), 'redirect'],
  [tried({ outcome: 'tls', error: 'TLS failed: CERT_HAS_EXPIRED certificate has expired' }), 'tls_expired'],
  [tried({ outcome: 'tls', error: 'certificate has expired' }), 'tls_expired'],
  [
    tried({
      outcome: 'tls',
      error: "TLS failed: ERR_TLS_CERT_ALTNAME_INVALID Host: a. is not in the cert's altnames",
    }),
    'tls_name',
  ],
  [
    tried({ outcome: 'tls', error: 'TLS failed: DEPTH_ZERO_SELF_SIGNED_CERT self-signed certificate' }),
    'tls_chain',
  ],
  [tried({ outcome: 'tls', error: 'TLS failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'tls_chain'],
  [tried({ outcome: 'tls', error: 'TLS failed: ERR_SSL_UNSUPPORTED_PROTOCOL' }), 'tls'],
  [tried({ outcome: 'timeout', error: 'no answer in time' }), 'timeout'],
  [
    tried({ outcome: 'delivered', statusCode: 200, error: 'the body of the answer did not end in time' }),
    'body_late',
  ],
  [status(401), 'unauthorized'],
  [status(403), 'unauthorized'],
  [status(419), 'unauthorized'],
  [status(403, '<title>Just a moment...</title>'), 'bot_wall'],
  [status(503, '<div id="cf-error-details">Attention Required! | Cloudflare</div>'), 'bot_wall'],
  [status(403, '<form class="g-recaptcha">'), 'bot_wall'],
  [status(404), 'not_found'],
  [status(405), 'method_not_allowed'],
  [status(400), 'bad_request'],
  [status(422), 'bad_request'],
  [status(409), 'not_ready'],
  [status(425), 'not_ready'],
  [status(410), 'gone'],
  [status(429), 'too_many_requests'],
  [status(500), 'server_error'],
  [status(502, '<h1>502 Bad Gateway</h1>'), 'server_error'],
  [status(418), 'other_status'],
  [status(304), 'other_status'],
  [tried({ error: 'the answer is not valid HTTP' }), 'not_http'],
  [tried({ outcome: 'blocked_address', error: 'the address is not allowed' }), 'blocked_address'],
  ...REFUSALS.map(
    (problem) =>
      [
        tried({ outcome: 'blocked_address', error: `the URL is not allowed: ${problem}` }),
        'url_refused',
      ] as const,
  ),
  [tried({ outcome: 'dns', error: 'name lookup failed: ENOTFOUND' }), 'dns'],
  [tried({ outcome: 'connect', error: 'could not connect: ECONNREFUSED' }), 'connect_refused'],
  [tried({ outcome: 'connect', error: 'connection lost before an answer: ECONNRESET' }), 'connect_lost'],
  [tried({ outcome: 'connect', error: 'could not connect: not done in time' }), 'connect'],
  [tried({ outcome: 'connect', error: 'no listener is connected' }), 'no_listener'],
  [tried({ outcome: 'too_large', error: 'the answer has too many or too long headers' }), 'too_large'],
  [tried({ outcome: 'interrupted' }), 'interrupted'],
]

for (const [facts, cause] of CASES) {
  const { outcome, statusCode, error, responseExcerpt } = facts
  const shown = [outcome, statusCode, error ?? responseExcerpt].filter(Boolean).join(' ')
  test(`${shown} is explained as ${cause}, in both languages`, () => {
    assert.equal(findCause(facts), cause)
    const [one, other] = LOCALES.map((locale) => explain(locale, facts)!)
    assert.ok(one!.cause && one!.fix && other!.cause && other!.fix)
    assert.notEqual(one!.cause, other!.cause)
    assert.deepEqual(findWrongWords(`${explain('cnr', facts)!.cause} ${explain('cnr', facts)!.fix}`), [])
  })
}

test('every outcome of the log has a case', () => {
  const covered = new Set(CASES.map(([facts]) => facts.outcome))
  assert.deepEqual([...covered].toSorted(), attemptOutcome.options.toSorted())
})

test('a successful delivery has no explanation', () => {
  assert.equal(explain('en', tried({ outcome: 'delivered', statusCode: 200 })), null)
})

test('the explanation of a redirect names its target, that of a status its code', () => {
  const redirect = tried({ outcome: 'redirect', statusCode: 307, error: 'https://169.254.169.254/latest' })
  assert.match(explain('en', redirect)!.cause, /https:\/\/169\.254\.169\.254\/latest/)
  assert.match(explain('cnr', redirect)!.cause, /https:\/\/169\.254\.169\.254\/latest/)
  assert.match(explain('en', status(403))!.cause, /HTTP 403/)
})

test('a URL that breaks a rule is explained by that rule, not as a private address', () => {
  const fixes = REFUSALS.map((problem) => {
    const refused = tried({ outcome: 'blocked_address', error: `the URL is not allowed: ${problem}` })
    return explain('en', refused)!.fix
  })
  assert.equal(new Set(fixes).size, REFUSALS.length, fixes.join('\n'))
  assert.match(fixes[1]!, /443/)
  assert.match(fixes[2]!, /#/)
})

test('explanations promise no further attempt and refer to nothing on a page, because mails use them too', () => {
  for (const locale of LOCALES)
    for (const [facts] of CASES) {
      const { cause, fix } = explain(locale, facts)!
      assert.doesNotMatch(`${cause} ${fix}`, /below|above|ispod|iznad|[Ww]e try again|pokušavamo ponovo/i)
    }
})

test('the explanation of a blocked address does not reveal the address', () => {
  const blocked = tried({ outcome: 'blocked_address', error: 'the address is not allowed' })
  for (const locale of LOCALES) assert.doesNotMatch(explain(locale, blocked)!.cause, /\d+\.\d+/)
})

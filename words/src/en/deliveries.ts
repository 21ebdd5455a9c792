// Why a callback did not arrive and what its shop can do about it: one pair of sentences per cause. Parts of what the
// shop answered come in as they are; escaping is the page's.

export interface Explanation {
  cause: string
  fix: string
}

const answered = (status: number) => `Your server answered HTTP ${status}`

export const deliveries = {
  causes: {
    redirect: ({ target }: { target: string | null }): Explanation => ({
      cause:
        target === null
          ? 'Your server answered with a redirect. Callbacks do not follow redirects.'
          : `Your server answered with a redirect to ${target}. Callbacks do not follow redirects.`,
      fix: 'Enter the final address as the callback URL: check https, “www.” and a slash at the end.',
    }),
    tls_expired: {
      cause: 'Your server’s certificate has expired or is not valid yet.',
      fix: 'Renew the certificate and check that its automatic renewal works.',
    },
    tls_name: {
      cause: 'Your server’s certificate was issued for another name.',
      fix: 'Install a certificate that names the host of the callback URL.',
    },
    tls_chain: {
      cause: 'Your server’s certificate does not lead to an authority we trust.',
      fix: 'Send the whole chain with the intermediate certificates (fullchain.pem); self-signed ones are not accepted.',
    },
    tls: {
      cause: 'No secure connection could be made.',
      fix: 'Check the server’s TLS settings: version 1.2 or newer, and a valid certificate.',
    },
    timeout: {
      cause: 'Your server did not answer within 15 seconds.',
      fix: 'Answer 200 first and do the slow work, such as mail and stock, afterwards.',
    },
    body_late: {
      cause: 'Your server accepted the callback, but its answer did not end.',
      fix: 'End the answer: send an empty body, or the right Content-Length.',
    },
    unauthorized: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: it demands a sign-in or a token.`,
      fix: 'Exempt the callback’s path from sign-in and from CSRF checks. The signature shows that it comes from us.',
    }),
    bot_wall: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)} with a page meant for browsers: a firewall or bot protection is in the way.`,
      fix: 'Exempt the callback’s path from bot protection (Cloudflare, reCAPTCHA, ModSecurity).',
    }),
    not_found: {
      cause: 'Your server answered HTTP 404: there is nothing at this path.',
      fix: 'Compare the callback URL with the path in your shop, letter by letter.',
    },
    method_not_allowed: {
      cause: 'Your server answered HTTP 405: this path does not take POST.',
      fix: 'Let the callback’s path accept POST with JSON.',
    },
    bad_request: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: your code could not use the request.`,
      fix: 'Verify the signature over the raw body, before any JSON parsing. What your server answered stands in the delivery log.',
    }),
    not_ready: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: the order is not there yet.`,
      fix: 'Save the order before you send the customer to pay.',
    }),
    gone: {
      cause:
        'Your server answered HTTP 410: the address is gone for good. We do not try this callback again.',
      fix: 'Enter the new callback URL and send the callback again.',
    },
    too_many_requests: {
      cause: 'Your server answered HTTP 429: too many requests for its limits.',
      fix: 'Raise the limit for the callback’s path. We slow down by ourselves when you send Retry-After.',
    },
    server_error: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: an error in your shop’s code or hosting.`,
      fix: 'Look for this moment in your server’s error log. What it answered stands in the delivery log.',
    }),
    other_status: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}. Only answers from 200 to 299 count as accepted.`,
      fix: 'Answer with 200 once you have saved the result.',
    }),
    not_http: {
      cause: 'What answered at this address is not a web server.',
      fix: 'Check the port in the callback URL.',
    },
    blocked_address: {
      cause: 'The callback URL does not lead to a public address.',
      fix: 'Use a public https address. For a computer of your own, use the listen command.',
    },
    /** `rule` is the sentence that the same address gets where it is entered. */
    url_refused: ({ rule }: { rule: string }): Explanation => ({
      cause: 'Nothing was sent, because the callback URL is not one that we send to.',
      fix: rule,
    }),
    dns: {
      cause: 'The host name of the callback URL could not be found.',
      fix: 'Check the spelling of the host name and its DNS records.',
    },
    connect_refused: {
      cause: 'Your server refused the connection.',
      fix: 'Check that the web server is running and listens on the port of the callback URL.',
    },
    connect_lost: {
      cause: 'Your server closed the connection before it had answered.',
      fix: 'Look for a crash or a restart in your server’s log, and at time limits of a proxy in front of it.',
    },
    connect: {
      cause: 'No connection to your server could be made.',
      fix: 'Check that the server is running and that no firewall stops us.',
    },
    too_large: {
      cause: 'The headers of your server’s answer are too large.',
      fix: 'Answer without cookies and without large headers.',
    },
    interrupted: {
      cause: 'This try was interrupted on our side, and we do not know whether it arrived.',
      fix: 'You need to do nothing. A repeat has the same webhook-id, so your shop can tell.',
    },
    handed_over: {
      cause:
        'It was handed to a program that listens, for example “listen”. What your shop answered stands in that program’s terminal; we are not told.',
      fix: 'To have it sent again, press “Send once more” in the delivery log, or run “deliveries resend” with --again.',
    },
    no_listener: {
      cause: 'Nobody is listening to this project’s events.',
      fix: 'Start the listen command, or send the test to the callback URL.',
    },
  },
  columns: {
    createdAt: 'Time (UTC)',
    localTime: (timeZone: string) => `Local time (${timeZone})`,
    id: 'Callback ID',
    transactionId: 'Transaction ID',
    mode: 'Mode',
    result: 'Result',
    status: 'Status',
    amount: 'Amount',
    amountMinor: 'Amount in smallest units',
    currency: 'Currency',
    attempts: 'Attempts',
    nextAt: 'Next attempt (UTC)',
    deliveredAt: 'Delivered (UTC)',
    lastAttemptAt: 'Last attempt (UTC)',
    lastOutcome: 'Last outcome',
    lastStatusCode: 'Last HTTP status',
    lastDurationMs: 'Last duration (ms)',
    url: 'Sent to',
    cause: 'Cause',
  },
}

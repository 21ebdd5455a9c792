// What happened to a callback, and what the merchant can do. Parts of the response are inserted unescaped.
import { CALLBACK_TIMEOUT_MS } from '@pazar/contract/limits'

export interface Explanation {
  cause: string
  fix: string
}

const answered = (status: number) => `Your server responded with HTTP ${status}`

interface Stated {
  status: number
  /** Null if the response must not be quoted. */
  reason: string | null
}
const stated = ({ status, reason }: Stated) =>
  reason === null ? `${answered(status)} and a reason.` : `${answered(status)}. Its response: “${reason}”`
const inLog = ({ reason }: Stated) => (reason === null ? ' Its response is in the callback log.' : '')

export const deliveries = {
  causes: {
    /** The response says why. */
    stated: (facts: Stated): Explanation => ({
      cause: stated(facts),
      fix: `Fix the problem that the response names. If the response does not come from your shop, check what else handles requests to the callback URL.${inLog(facts)}`,
    }),
    stated_404: (facts: Stated): Explanation => ({
      cause: stated(facts),
      fix: `Fix the problem that the response names. If the response does not come from your shop, compare the callback URL with the path on your server.${inLog(facts)}`,
    }),
    redirect: ({ target }: { target: string | null }): Explanation => ({
      cause:
        target === null
          ? 'Your server responded with a redirect. We do not follow redirects.'
          : `Your server responded with a redirect to ${target}. We do not follow redirects.`,
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
      cause: `Your server did not respond within ${CALLBACK_TIMEOUT_MS / 1000} seconds.`,
      fix: 'Save the result and respond with 200 at once. Do slow work, such as sending email or updating stock, afterwards.',
    },
    body_late: {
      cause: 'Your server accepted the callback, but its response did not end.',
      fix: 'End the response: send an empty body, or the right Content-Length.',
    },
    unauthorized: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: it requires a sign-in or a token.`,
      fix: 'Exempt the callback’s path from sign-in, CSRF checks and firewall rules. The signature shows that a callback comes from us.',
    }),
    bot_wall: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)} and a page meant for browsers: a firewall or bot protection is in the way.`,
      fix: 'Exempt the callback’s path from bot protection (Cloudflare, reCAPTCHA, ModSecurity).',
    }),
    not_found: {
      cause: 'Your server responded with HTTP 404: nothing is at this path.',
      fix: 'Compare the callback URL with the path on your server, letter by letter.',
    },
    method_not_allowed: {
      cause: 'Your server responded with HTTP 405: this path does not accept POST.',
      fix: 'Make the callback’s path accept POST with JSON.',
    },
    bad_request: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: your code could not process the request.`,
      fix: 'Verify the signature over the raw body, before any JSON parsing. Your server’s response is in the callback log.',
    }),
    not_ready: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}, which usually means that the order is not there yet.`,
      fix: 'If so, save the order before you send the payer to the checkout page. Respond with 200 to a callback that you have already handled.',
    }),
    gone: {
      cause:
        'Your server responded with HTTP 410: the address is gone for good. We do not retry this callback.',
      fix: 'Enter the new callback URL and send the callback again.',
    },
    too_many_requests: {
      cause: 'Your server responded with HTTP 429: its rate limit was exceeded.',
      fix: 'Raise the limit for the callback’s path. We slow down automatically when you send Retry-After.',
    },
    server_error: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}: an error in your code or hosting.`,
      fix: 'Check your server’s error log for an entry from the time of this response. Your server’s response is in the callback log.',
    }),
    other_status: ({ status }: { status: number }): Explanation => ({
      cause: `${answered(status)}. Only 200 to 299 counts as accepted.`,
      fix: 'Respond with 200 once you have saved the result.',
    }),
    not_http: {
      cause: 'The response from this address is not valid HTTP.',
      fix: 'Check the port in the callback URL, and the headers that your server sends.',
    },
    blocked_address: {
      cause: 'The callback URL does not lead to a public address.',
      fix: 'Use a public https address. For your own machine, use the listen command.',
    },
    /** `rule` is the sentence that the settings show for this URL. */
    url_refused: ({ rule }: { rule: string }): Explanation => ({
      cause: 'Nothing was sent, because the callback URL is not allowed.',
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
      cause: 'Your server closed the connection before it responded.',
      fix: 'Check your server’s log for a crash or a restart, and the time limits of any proxy in front of it.',
    },
    connect: {
      cause: 'We could not connect to your server.',
      fix: 'Check that the server is running and that no firewall blocks us.',
    },
    too_large: {
      cause: 'The headers of your server’s response are too large.',
      fix: 'Respond without cookies and without large headers.',
    },
    interrupted: {
      cause: 'This attempt was interrupted on our side, and we do not know whether the callback arrived.',
      fix: 'If it arrives again, it has the same webhook-id, by which your server can recognise and skip it.',
    },
    not_sent: {
      cause: 'Because of a fault on our side, nothing was sent to your server.',
      fix: 'You do not need to change anything. If no further attempt is planned, try again later.',
    },
    in_inbox: {
      cause: 'It was stored in the project’s inbox; nothing was sent, because the project has no server yet.',
      fix: 'Read it on the Inbox page. When your server is ready, enter its callback URL in the settings.',
    },
    live_inbox: {
      cause: 'Nothing was sent: the callback URL is the inbox, which takes no live callbacks.',
      fix: 'Enter your server’s callback URL in the settings. The callback is then delivered by the next attempt; if none is left, send it again.',
    },
    handed_over: {
      cause:
        'It was forwarded to the CLI (the listen command). Your server’s response is in the CLI’s terminal; the callback log has it too once the CLI reports it.',
      fix: 'To send it again, press “Send again” in the callback log; in the CLI it is “deliveries resend” with --again.',
    },
    reported: ({ status }: { status: number | null }): Explanation => ({
      cause:
        status === null
          ? 'It was forwarded to the CLI (the listen command), which reported that your server did not respond.'
          : `It was forwarded to the CLI (the listen command), which reported that your server responded with HTTP ${status}.`,
      fix: 'To send it again, press “Send again” in the callback log; in the CLI it is “deliveries resend” with --again.',
    }),
    no_listener: {
      cause: 'No CLI is connected to this project.',
      fix: 'Start the listen command, or send the test to a URL instead of the CLI (to: url).',
    },
  },
  columns: {
    createdAt: 'Time (UTC)',
    localTime: (timeZone: string) => `Local time (${timeZone})`,
    id: 'Callback ID',
    transactionId: 'Transaction ID',
    mode: 'Mode',
    result: 'Result',
    status: 'Delivery status',
    amount: 'Amount',
    amountMinor: 'Amount in smallest units',
    currency: 'Currency',
    customId: 'Order ID',
    data: 'Description',
    attempts: 'Attempts',
    nextAt: 'Next attempt (UTC)',
    deliveredAt: 'Delivered (UTC)',
    lastAttemptAt: 'Last attempt (UTC)',
    lastOutcome: 'Last outcome',
    lastStatusCode: 'Last HTTP status',
    lastDurationMs: 'Last duration (ms)',
    url: 'Sent to',
    cause: 'Cause',
    event: 'Event',
    refundId: 'Refund ID',
    disputeId: 'Dispute ID',
    reportedStatusCode: 'Status code reported by the CLI',
    reportedDurationMs: 'Duration reported by the CLI (ms)',
  },
}

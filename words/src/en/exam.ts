// Why this is long: one list of texts.
import { CALLBACK_TIMEOUT_MS } from '@pazar/contract/limits'

const answered = ({ status, duration }: { status: number; duration: string }) =>
  `HTTP ${status} in ${duration}`

export interface Problem {
  text: string
  fix: string
}

export const exam = {
  scenarios: {
    good: {
      expected: 'A correctly signed callback for a successful payment is accepted with a 2xx.',
      fix: 'Check the signature over the raw body with this project’s test secret (sk_test_…), and exempt the callback’s path from sign-in and CSRF checks.',
    },
    repeated: {
      expected: 'The same callback, sent again with the same webhook-id, is accepted with a 2xx.',
      fix: 'Save the webhook-id of every callback you have handled, and respond with 200 when the same one comes again. We send the callback again when your response gets lost.',
    },
    late_fail: {
      expected: 'A failure that arrives after the success is accepted with a 2xx, and the order stays paid.',
      fix: 'If an order is already paid, respond with 200 to a failure of another checkout attempt, and change nothing: the result of an earlier checkout attempt may arrive late. The exception is failureCode resolved_unpaid with the transactionId of the successful payment: then stop the shipment.',
    },
    failure: {
      expected: 'A callback for a failed payment is accepted with a 2xx.',
      fix: 'Respond with 200 once you have recorded that the payment failed. If the response is not a 2xx, we send the callback again.',
    },
    unknown_field: {
      expected: 'A callback with unknown fields is accepted with a 2xx.',
      fix: 'Ignore unknown fields. Callbacks may get new ones at any time.',
    },
    large_data: {
      expected: 'A callback with the longest possible data, in several scripts, is accepted with a 2xx.',
      fix: 'Accept bodies of up to 64 KB on the callback’s path, and read them as UTF-8.',
    },
    bad_signature: {
      expected: 'A callback signed with another secret is refused with a 4xx.',
      fix: 'Compare the signature you compute with the one in the header, and respond with 400 when they differ. Otherwise anyone can mark your orders as paid.',
    },
    missing_signature: {
      expected: 'A callback without any signature is refused with a 4xx.',
      fix: 'Treat a missing signature as a wrong one, and respond with 400. Otherwise anyone can mark your orders as paid.',
    },
    live_label: {
      expected: 'A body that says mode live, but is signed with the test secret, is refused with a 4xx.',
      fix: 'Compare mode in the body with the secret you verified with. The test secret is less protected and must never mark a real order as paid.',
    },
    changed_amount: {
      expected: 'A callback whose amount differs from the order’s price is refused with a 4xx.',
      fix: 'Compare amount with the price in your own records. Anyone who opens an unsigned pay link can change its amount.',
    },
    stale_timestamp: {
      expected: 'A callback signed an hour ago is refused with a 4xx.',
      fix: 'Refuse a webhook-timestamp that is more than 5 minutes off your clock. Otherwise a recorded callback can be replayed.',
    },
    refund: {
      expected:
        'A correctly signed callback for a partial refund is accepted with a 2xx, and the order stays paid for the rest.',
      fix: 'Read event first. Respond with 200 to refund.result once you have recorded the refund under its refundId. Its amount is that of the refund, so do not compare it with the order’s price, and a partial refund does not make an order unpaid.',
    },
    refund_first: {
      expected:
        'A refund that arrives before the result of its payment is accepted with a 2xx, and does not mark the order as paid.',
      fix: 'Read event first. Only payment.result with successful true marks an order as paid; record a refund and change nothing else. Callbacks may arrive in any order.',
    },
    forged_refund: {
      expected: 'A refund signed with another secret is refused with a 4xx.',
      fix: 'Check the signature before you read event, and respond with 400 when it does not match. Otherwise anyone can make you believe that money was refunded.',
    },
    dispute_opened: {
      expected: 'A correctly signed callback for an opened dispute is accepted with a 2xx.',
      fix: 'Read event first. Respond with 200 to dispute.opened once you have recorded the dispute under its disputeId. It has neither status nor successful, and it is not a payment.',
    },
    forged_dispute: {
      expected: 'A dispute signed with another secret is refused with a 4xx.',
      fix: 'Check the signature before you read event, and respond with 400 when it does not match. Otherwise anyone can make you stop an order.',
    },
    dispute_closed: {
      expected: 'A correctly signed callback for a closed dispute is accepted with a 2xx.',
      fix: 'Read event first. Respond with 200 to dispute.closed once you have recorded how the dispute ended: disputeStatus is won or lost.',
    },
    in_time: {
      expected: `Every response comes within ${CALLBACK_TIMEOUT_MS / 1000} seconds.`,
      fix: 'Save the result and respond with 200 at once. Do slow work, such as sending email or updating stock, afterwards.',
    },
  },
  got: {
    status: answered,
    stillPaid: (facts: { status: number; duration: string }) =>
      `${answered(facts)}, and your server says that the order is still paid.`,
    undone: (facts: { status: number; duration: string }) =>
      `${answered(facts)}, and your server says that the order is no longer paid.`,
    unseen: ({ order, ...facts }: { status: number; duration: string; order: string | null }) =>
      `${answered(facts)}. Only your server knows whether the order ${order ?? 'of the first callback'} is still paid.`,
    notPaid: (facts: { status: number; duration: string }) =>
      `${answered(facts)}, and your server says that the order is not paid.`,
    takenForPayment: (facts: { status: number; duration: string }) =>
      `${answered(facts)}, and your server says that the order is paid, although no payment was reported for it.`,
    unseenUnpaid: (facts: { status: number; duration: string }) =>
      `${answered(facts)}. Only your server knows whether it marked the order as paid.`,
    alsoRefused: (facts: { status: number; duration: string }) =>
      `${answered(facts)}, but the correct callback is not accepted either, so this proves nothing.`,
    slowest: ({ duration }: { duration: string }) => `The slowest response took ${duration}.`,
    late: ({ titles }: { titles: string }) => `No response in time to: ${titles}.`,
    notReached: 'Not sent, because the first request did not get through.',
    notSent: 'Not sent: earlier responses were missing or took too long.',
  },
  fixes: {
    goodFirst: 'First make sure that the correct callback is accepted, then run the exam again.',
    unknownOrder:
      'Either nothing is at this path, or your server does not know the exam’s order. In test mode, treat an order whose customId starts with exam- as one with the amount 1500.',
    crashed: ({ fix }: { fix: string }) =>
      `Your server failed on this request. Check its error log first: it says why. Then: ${fix}`,
    broke:
      'Refuse a forged callback with 400 instead of failing. Your server’s error log says where it fails. Code that crashes can also stop halfway through recording an order.',
    undone: 'Once an order is paid, the failure of another checkout attempt must not make it unpaid.',
  },
  events: {
    'payment.result': 'The body is payment.result: the result of a payment.',
    'refund.result':
      'The body is refund.result: the result of a refund, not a payment. It has no status, and its amount is that of the refund.',
    'dispute.opened':
      'The body is dispute.opened: the payer disputes a payment, or their bank is asking about it. It has no status and is not a payment.',
    'dispute.closed':
      'The body is dispute.closed: a dispute has ended, as disputeStatus says. It is not a payment.',
  },
  problems: {
    missing_header: ({ header }: { header: string }): Problem => ({
      text: `The header ${header} is missing.`,
      fix: 'Pass on webhook-id, webhook-timestamp and webhook-signature. Header names are not case-sensitive.',
    }),
    repeated_header: ({ header }: { header: string }): Problem => ({
      text: `The header ${header} appears more than once.`,
      fix: 'Something between us and your code adds a header of its own. Keep only ours.',
    }),
    id_unreadable: {
      text: 'webhook-id has characters that no ID of ours has.',
      fix: 'Take the header as it came, without quotes and spaces.',
    },
    id_changed: {
      text: 'The signature belongs to a different webhook-id than the one in the header.',
      fix: 'Take the headers and the body from the same request.',
    },
    timestamp_milliseconds: {
      text: 'webhook-timestamp is in milliseconds.',
      fix: 'Use the text of the header as it came: whole seconds.',
    },
    timestamp_unreadable: {
      text: 'webhook-timestamp is not a whole number of seconds.',
      fix: 'Use the text of the header as it came, also where you compute the signature.',
    },
    timestamp_changed: {
      text: 'The signature belongs to a different webhook-timestamp than the one in the header.',
      fix: 'Take the headers and the body from the same request.',
    },
    timestamp_stale: ({ age }: { age: string }): Problem => ({
      text: `It was signed ${age} ago, and a server should accept requests at most 5 minutes old.`,
      fix: 'A request that you check more than 5 minutes after it was sent is always too old. If new ones are refused too, set your server’s clock by NTP.',
    }),
    timestamp_early: ({ age }: { age: string }): Problem => ({
      text: `Its timestamp is ${age} ahead of our clock.`,
      fix: 'If you made the request yourself, set that machine’s clock by NTP. We never sign ahead of time.',
    }),
    signature_no_version: {
      text: 'The signature lacks “v1,” in front.',
      fix: 'Write “v1,” in front of the base64 text. When you check, compare only what follows it.',
    },
    signature_base64url: {
      text: 'The signature is written in base64url.',
      fix: 'Use ordinary base64: with + and /, and with = at the end.',
    },
    signature_hex: {
      text: 'The signature is written in hexadecimal.',
      fix: 'Encode the 32 bytes of the HMAC in base64.',
    },
    signature_base64_of_hex: {
      text: 'The signature is the base64 of a hexadecimal text.',
      fix: 'Ask your HMAC function for raw bytes and encode those (in PHP: hash_hmac with true as its fourth argument).',
    },
    signature_not_canonical: {
      text: 'The base64 of the signature has been changed: its end is missing or it contains other characters.',
      fix: 'Take the header as it came: 44 characters after “v1,”, the last of which is =.',
    },
    signature_unreadable: {
      text: 'webhook-signature contains no signature.',
      fix: 'Take the header as it came: “v1,” and 44 characters of base64.',
    },
    signature_of_another: {
      text: 'The secret is right, but the signature in the header belongs to another request.',
      fix: 'Take the headers and the body from the same request. Each attempt has its own signature.',
    },
    wrong_mode: ({ signedWith }: { signedWith: 'live' | 'test' }): Problem => ({
      text: `It was signed with the ${signedWith} secret, but the other mode is selected.`,
      fix: 'Check each callback with the secret of the mode in its body.',
    }),
    wrong_secret: {
      text: 'It was not signed with any of this project’s current secrets.',
      fix: 'Compare the secret on your server with the one on the Secrets page: it may be an old one, or another project’s. If the secret is the same, the body was changed on its way.',
    },
    secret_without_prefix: {
      text: 'It was signed with the secret without its prefix.',
      fix: 'The key is the whole text of the secret, including sk_live_ or sk_test_. Do not decode it.',
    },
    body_empty: {
      text: 'The body is empty.',
      fix: 'Read the raw body before another part of your framework does.',
    },
    body_line_break: {
      text: 'The body ends in a line break that we did not send.',
      fix: 'Leave out what follows the last bracket; most editors and terminals add a line break.',
    },
    body_encoding: {
      text: 'The body is in another character encoding than the one we sent: UTF-8 without a byte order mark.',
      fix: 'Check the raw bytes as they came. Where text is needed, read them as UTF-8, and save files without a BOM.',
    },
    body_rewritten: {
      text: 'The body has the same content but different bytes: its JSON was parsed and written again.',
      fix: 'Check the raw bytes as they came, before your framework parses them.',
    },
    body_changed: ({ fields }: { fields: string }): Problem => ({
      text: `The body was changed after it had been signed: ${fields}.`,
      fix: 'Check the raw bytes as they came. If you changed nothing, someone on the way did: do not trust the request.',
    }),
    body_not_json: {
      text: 'The body is not JSON.',
      fix: 'Paste the whole body, from the first bracket to the last, without what your log adds to it.',
    },
    not_a_callback: {
      text: 'The signature is valid, but the body is not a callback.',
      fix: 'Callbacks have the field event: payment.result, refund.result, dispute.opened or dispute.closed. If you signed this yourself, compare it with a test callback.',
    },
    event_unknown: ({ event }: { event: string }): Problem => ({
      text: `The signature is valid, but the event “${event}” is not one of ours.`,
      fix: 'We send payment.result, refund.result, dispute.opened and dispute.closed. Respond with 200 to an event that you do not know, and do nothing.',
    }),
    event_fields: ({ event, fields }: { event: string; fields: string }): Problem => ({
      text: `The signature is valid, but these fields of ${event} are missing or wrong, or do not belong to it: ${fields}.`,
      fix: 'Only payment.result has status and successful. If you signed this yourself, compare it with a test callback of the same event.',
    }),
    wrong_label: ({ signedWith }: { signedWith: 'live' | 'test' }): Problem => ({
      text: `It is signed with the ${signedWith} secret, but its body says the other mode.`,
      fix: 'We never send this. Your server must refuse it.',
    }),
    wrong_project: {
      text: 'The body belongs to another project.',
      fix: 'Compare projectId with this project’s ID.',
    },
    hash_missing: {
      text: 'The body has no hash.',
      fix: 'Paste the body as it came, then check again. We send every callback with a hash.',
    },
    hash_changed: {
      text: 'The hash in the body was not made with this secret.',
      fix: 'We make the hash and the signature with the same secret. If you signed this yourself, do the same.',
    },
    hash_of_another_body: {
      text: 'The hash belongs to another body.',
      fix: 'The hash is a JWT that contains every other field of the body. If you signed this yourself, make a new one for each body.',
    },
  },
}

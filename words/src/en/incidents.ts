// One sentence per kind of incident, for the operator.
export const incidents = {
  mismatch: 'The payment provider’s response does not match the payment.',
  charged_after_end: 'The payment provider charged a payment that had already ended without success.',
  charged_twice: 'The payment provider charged one payment twice.',
  contradiction: 'The payment provider says that no money was taken for a successful payment.',
  unknown_payment: 'The payment provider reported a payment that is not on record.',
  unresolved: 'A payment has no result, and the payment provider gives none; an operator has to decide.',
  upstream_missing: 'Payments were opened with a payment provider that is no longer configured.',
  upstream_key_rejected: 'The payment provider rejects our key; no payment can be made until it is replaced.',
  upstream_unreachable: 'The payment provider cannot be reached; new payment attempts fail.',
  upstream_failing: 'At least half of the requests to the payment provider fail.',
  webhook_refused:
    'Webhooks from the payment provider are refused: their signature does not match. Check the webhook secret.',
  webhook_unusable:
    'The payment provider sends signed webhooks that cannot be read; results are found only by lookups.',
  delivery_stopped:
    'Callbacks or lookups are due, and no process works on them; start one with ROLE=delivery.',
  callbacks_lost:
    'The results of some completed payments were never queued for the merchant, or count as delivered without an attempt.',
  refund_mismatch: 'The payment provider’s report of a refund does not match the refund or its payment.',
  refund_contradiction: 'The payment provider reports a different result for a refund than the one recorded.',
  refund_exceeds: 'More was refunded or disputed at the payment provider than was paid.',
  dispute_mismatch: 'The payment provider’s report of a dispute does not match the dispute or its payment.',
  dispute_contradiction:
    'The payment provider reports a different result for a dispute than the one recorded.',
  refund_unresolved: 'A refund has had no result for a long time; ask the payment provider about it.',
  books_differ: 'Our ledger and the payment provider’s differ.',
  restored:
    'The database was restored or has lost writes. Payments, refunds and callbacks are stopped until you run reconcile --since; “npm run pazar -- incidents list” prints the command with the time to use.',
  restore_unchecked:
    'The payment provider’s list has more than 1,000 pages or no end, so it is not known whether the database has lost payments. Payments go on. Run reconcile --since; “npm run pazar -- incidents list” prints the command with the time to use.',
  orphan_charge:
    'After a restore the payment provider has a charge that cannot be assigned to a project here.',
}

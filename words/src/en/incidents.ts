// One sentence per kind of incident, for the operator's mail and command.
export const incidents = {
  mismatch: 'The upstream’s response does not match the payment.',
  charged_after_end: 'The upstream charged a payment that had already ended without success.',
  charged_twice: 'The upstream charged one payment twice.',
  contradiction: 'The upstream says that a successful payment was not charged.',
  unknown_payment: 'The upstream reported a payment that is not on record.',
  unresolved: 'A payment has no result, and the upstream gives none; an operator has to decide.',
  upstream_missing: 'Payments were opened with an upstream that is no longer configured.',
  upstream_key_rejected: 'The upstream rejects our key; no payment can be made until it is replaced.',
  upstream_unreachable: 'The upstream cannot be reached; payers see that no money was taken.',
  upstream_failing: 'At least half of the requests to the upstream fail.',
  webhook_refused:
    'Webhooks from the upstream are refused: their signature does not match. Check the webhook secret.',
  webhook_unusable:
    'The upstream sends signed webhooks that cannot be read; results are found only by lookups.',
  delivery_stopped:
    'Callbacks or lookups are due, and no process works on them; start one with ROLE=delivery.',
  callbacks_lost:
    'The results of some completed payments were never queued for the merchant, or count as delivered without an attempt.',
  refund_mismatch: 'The upstream’s report of a refund does not match the refund or its payment.',
  refund_contradiction: 'The upstream reports another result of a refund than the recorded one.',
  refund_exceeds: 'More was refunded or disputed at the upstream than was paid.',
  dispute_mismatch: 'The upstream’s report of a dispute does not match the dispute or its payment.',
  dispute_contradiction: 'The upstream reports another result of a dispute than the recorded one.',
  refund_unresolved: 'A refund has had no result for a long time; ask the upstream about it.',
  books_differ: 'Our ledger and the upstream’s differ.',
  restored:
    'The database was restored or has lost writes. Payments, refunds and callbacks are stopped until you run: npm run pazar -- reconcile --since.',
  orphan_charge: 'After a restore the upstream has a charge that cannot be assigned to a project here.',
}

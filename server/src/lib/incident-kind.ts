// The kinds of incidents. The catalogue has a sentence for each.
export const INCIDENT_KINDS = [
  'mismatch',
  'charged_after_end',
  'charged_twice',
  'contradiction',
  'unknown_payment',
  'unresolved',
  'upstream_missing',
  'upstream_key_rejected',
  'upstream_unreachable',
  'upstream_failing',
  'webhook_refused',
  'webhook_unusable',
  'delivery_stopped',
  'callbacks_lost',
  'refund_mismatch',
  'refund_contradiction',
  'refund_exceeds',
  'refund_unresolved',
  'dispute_mismatch',
  'dispute_contradiction',
] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

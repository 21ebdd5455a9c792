// The texts of failures and disputes. A code that only one upstream sends may have no text here.
import { words } from '../../ui/language.ts'
import { findName } from '../find-name.ts'

function toText(texts: Readonly<Record<string, string>>, code: string): string {
  return findName(texts, code) ?? `${texts['other']} (${code})`
}

export function toFailureText(code: string): string {
  return toText(words().payments.failures, code)
}

export function toDisputeReasonText(code: string): string {
  return toText(words().payments.dispute.reasons, code)
}

export function toRefundFailureText(code: string): string {
  return toText(words().payments.refund.failures, code)
}

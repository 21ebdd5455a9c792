import { words } from '../../ui/language.ts'
import { formatAmount } from '../format-amount.ts'
import { negate } from '../negate.ts'
import { findNet } from './net.ts'
import type { MaybeOldTransaction } from './net.ts'

/** Empty if nothing was refunded or disputed. */
export function toMoneyBackFacts(item: MaybeOldTransaction): [string, string][] {
  const { drawer } = words().payments
  const net = findNet(item)
  if (net === null) return []
  const { refunded = '0', disputed = '0', refundable = '0' } = item
  const facts: [string, string][] = [
    [drawer.refunded, negate(refunded)],
    [drawer.disputed, negate(disputed)],
    [drawer.net, net],
    [drawer.refundable, refundable],
  ]
  return facts
    .filter(([name, sum]) => sum !== '0' || name === drawer.net)
    .map(([name, sum]) => [name, formatAmount(sum, item)])
}

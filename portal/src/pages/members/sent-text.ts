import type { TransferView } from '@pazar/contract'
import { words } from '../../ui/language.ts'

/** What is shown after an invitation. It replaces an earlier one to the same address, and ends a transfer offered to it. */
export function toSentText(email: string, transfer: TransferView | null): string {
  const { sent, transferEnded } = words().members.invite
  const endsTransfer = transfer?.to.toLowerCase() === email.toLowerCase()
  return endsTransfer ? `${sent} ${transferEnded}` : sent
}

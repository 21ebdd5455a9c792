import type { TransferView } from '@pazar/contract'
import { words } from '../../ui/language.ts'

/**
 * The message after an invitation was sent. If a transfer of the project was offered to the same address, the invitation has
 * ended the transfer, and the message says so.
 */
export function toSentText(email: string, transfer: TransferView | null): string {
  const { sent, transferEnded } = words().members.invite
  const endsTransfer = transfer?.to.toLowerCase() === email.toLowerCase()
  return endsTransfer ? `${sent} ${transferEnded}` : sent
}

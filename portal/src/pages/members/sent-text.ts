import type { TransferView } from '@pazar/contract'
import { words } from '../../ui/language.ts'

/** An invitation ends a transfer that was offered to the same address. */
export function toSentText(email: string, transfer: TransferView | null): string {
  const { sent, transferEnded } = words().members.invite
  const endsTransfer = transfer?.to.toLowerCase() === email.toLowerCase()
  return endsTransfer ? `${sent} ${transferEnded}` : sent
}

// Resends one callback. For a delivered callback, a dialog asks first.
import { useState } from 'react'
import { RotateCw } from 'lucide-react'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { toErrorText, toFieldErrors } from '../../api/api-error.ts'
import { resend } from '../../api/deliveries.ts'
import { usePermissions } from '../../api/members.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../use-action.ts'
import { isForwarded, isInInbox } from './attempt-text.tsx'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface ResendButtonProps {
  callback: CallbackView
  lastAttempt?: AttemptView | undefined
  small?: boolean
}

function toAgainText(lastAttempt: AttemptView | undefined): string {
  const { againText, againTextInbox, againTextListener } = words().deliveries
  if (isForwarded(lastAttempt)) return againTextListener
  return isInInbox(lastAttempt) ? againTextInbox : againText
}

export function ResendButton({ callback, lastAttempt, small = true }: ResendButtonProps) {
  const { deliveries } = words()
  const [asking, setAsking] = useState(false)
  const may = usePermissions(callback.projectId)
  const isDelivered = callback.status === 'delivered'
  const { run, busy, error } = useAction(async () => {
    await resend(callback.projectId, callback.id, isDelivered)
    setAsking(false)
    toast(deliveries.resent)
  })
  if (!may('operate')) return null
  return (
    <>
      <Button
        small={small}
        busy={busy}
        icon={<RotateCw aria-hidden className="size-4" />}
        onClick={() => (isDelivered ? setAsking(true) : void run())}
      >
        {isDelivered ? deliveries.resendAgain : deliveries.resend}
      </Button>
      {error !== null && !asking && (
        <FieldError text={toFieldErrors(error)['callbackId'] ?? toErrorText(error).title} />
      )}
      {asking && (
        <ConfirmDialog
          kind="main"
          title={isForwarded(lastAttempt) ? deliveries.resendAgain : deliveries.againTitle}
          submit={deliveries.resendAgain}
          busy={busy}
          error={error}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          <p>{toAgainText(lastAttempt)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

// Sends one callback again. If it was delivered, a dialog asks first, because the merchant's server already has it.
import { useState } from 'react'
import { RotateCw } from 'lucide-react'
import type { CallbackView } from '@pazar/contract'
import { toErrorText, toFieldErrors } from '../../api/api-error.ts'
import { resend } from '../../api/deliveries.ts'
import { usePermissions } from '../../api/members.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../use-action.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface ResendButtonProps {
  callback: CallbackView
  isForwarded?: boolean
  small?: boolean
}

export function ResendButton({ callback, isForwarded = false, small = true }: ResendButtonProps) {
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
          title={isForwarded ? deliveries.resendAgain : deliveries.againTitle}
          submit={deliveries.resendAgain}
          busy={busy}
          error={error}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          <p>{isForwarded ? deliveries.againTextListener : deliveries.againText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

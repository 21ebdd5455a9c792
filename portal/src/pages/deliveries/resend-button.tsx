// Sends one callback again. A delivered one is asked about first, because the shop has it already.
import { useState } from 'react'
import { RotateCw } from 'lucide-react'
import type { CallbackView } from '@pazar/contract'
import { GivenUp, toErrorText } from '../../api/api-error.ts'
import { resend } from '../../api/deliveries.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface ResendButtonProps {
  callback: CallbackView
  isHandedOver?: boolean
  small?: boolean
}

export function ResendButton({ callback, isHandedOver = false, small = true }: ResendButtonProps) {
  const { deliveries, frame } = words()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isDelivered = callback.status === 'delivered'

  async function send(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await resend(callback.projectId, callback.id, isDelivered)
      setAsking(false)
      toast(deliveries.resent)
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        small={small}
        busy={busy}
        icon={<RotateCw aria-hidden className="size-4" />}
        onClick={() => (isDelivered ? setAsking(true) : void send())}
      >
        {isDelivered ? deliveries.resendAgain : deliveries.resend}
      </Button>
      {error !== null && !asking && <FieldError text={toErrorText(error).title} />}
      {asking && (
        <Dialog
          title={isHandedOver ? deliveries.resendAgain : deliveries.againTitle}
          onClose={() => setAsking(false)}
        >
          <p>{isHandedOver ? deliveries.againTextListener : deliveries.againText}</p>
          {error !== null && <FieldError text={toErrorText(error).title} />}
          <div className="flex flex-wrap gap-2">
            <Button kind="main" busy={busy} onClick={() => void send()}>
              {deliveries.resendAgain}
            </Button>
            <Button onClick={() => setAsking(false)}>{frame.cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

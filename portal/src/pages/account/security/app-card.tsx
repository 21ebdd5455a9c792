import { useState } from 'react'
import { offerTotp, removeTotp } from '../../../api/factors.ts'
import type { TotpOffer } from '../../../api/factors.ts'
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { Time } from '../../../parts/time.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { securityWords } from '../../../ui/language.ts'
import { toast } from '../../../ui/toasts.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'

export interface AppCardProps {
  /** Null: the app is not set up. */
  enabledAt: string | null
  onCodes: (codes: string[]) => void
}

export function AppCard({ enabledAt, onCodes }: AppCardProps) {
  const { app: text } = securityWords()
  const [offer, setOffer] = useState<TotpOffer | null>(null)
  const [removing, setRemoving] = useState(false)
  const offering = useAction(async () => setOffer(await offerTotp()))
  const removal = useAction(async () => {
    await removeTotp()
    setRemoving(false)
    toast(text.removed)
  })
  const isOn = enabledAt !== null
  return (
    <Card
      title={text.title}
      text={text.text}
      actions={<Badge tone={isOn ? 'ok' : 'warn'} text={isOn ? text.on : text.off} />}
    >
      {isOn && (
        <p className="text-sm text-muted">
          {text.since} <Time at={enabledAt} />
        </p>
      )}
      {offering.error !== null && <Failed error={offering.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind={isOn ? 'second' : 'main'} busy={offering.busy} onClick={() => void offering.run()}>
          {isOn ? text.replace : text.add}
        </Button>
        {isOn && <Button onClick={() => setRemoving(true)}>{text.remove}</Button>}
      </div>
      {offer && (
        <SetUpDialog
          offer={offer}
          onClose={() => setOffer(null)}
          onDone={(codes) => {
            setOffer(null)
            onCodes(codes)
          }}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={text.removeTitle}
          submit={text.remove}
          busy={removal.busy}
          error={removal.error}
          onConfirm={() => void removal.run()}
          onClose={() => setRemoving(false)}
        >
          <p>{text.removeText}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

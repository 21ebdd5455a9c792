// The transfer of the project. The owner offers it, the new owner accepts it, and either can cancel it.
import { useState } from 'react'
import type { MemberView, TransferView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import { acceptTransfer, cancelTransfer, offerTransfer } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/field.tsx'
import { locale, words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface TransferCardProps {
  projectId: string
  members: readonly MemberView[]
  transfer: TransferView | null
  isOwner: boolean
}

export function TransferCard({ projectId, members, transfer, isOwner }: TransferCardProps) {
  const people = members.filter(({ role }) => role !== 'owner')
  if (transfer && (isOwner || transfer.isToYou))
    return <PendingCard projectId={projectId} transfer={transfer} />
  return isOwner ? <OfferCard projectId={projectId} people={people} /> : null
}

function OfferCard({ projectId, people }: { projectId: string; people: readonly MemberView[] }) {
  const { transfer: text } = words().members
  const [chosen, setChosen] = useState('')
  const [asking, setAsking] = useState(false)
  const person = people.find(({ email }) => email === chosen)
  const recipient = person?.email ?? ''
  return (
    <Card title={text.title} text={people.length === 0 ? text.nobody : text.text}>
      {people.length > 0 && (
        <>
          <Choice
            label={text.to}
            value={recipient}
            options={[
              { value: '', label: text.choose },
              ...people.map(({ email }) => ({ value: email, label: email })),
            ]}
            onChoice={setChosen}
          />
          <div>
            <Button kind="danger" disabled={recipient === ''} onClick={() => setAsking(true)}>
              {text.offer}
            </Button>
          </div>
        </>
      )}
      {asking && person && (
        <OfferDialog projectId={projectId} person={person} onClose={() => setAsking(false)} />
      )}
    </Card>
  )
}

interface OfferDialogProps {
  projectId: string
  person: MemberView
  onClose: () => void
}

/** If the offer fails, this dialog keeps the error, so that it is not shown after the owner chooses another person. */
function OfferDialog({ projectId, person: { email, state }, onClose }: OfferDialogProps) {
  const { offered, offerDialog } = words().members.transfer
  const { run, busy, error } = useAction(async () => {
    await offerTransfer(projectId, email)
    toast(offered)
    onClose()
  })
  return (
    <ConfirmDialog
      title={offerDialog.title}
      submit={offerDialog.submit}
      busy={busy}
      error={error}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {offerDialog.text(email)} {state === 'invited' && offerDialog.invited}
      </p>
      <Consequences texts={offerDialog.consequences} />
    </ConfirmDialog>
  )
}

function Consequences({ texts }: { texts: Readonly<Record<string, string>> }) {
  return (
    <ul className="grid list-disc gap-1 pl-5 text-sm">
      {Object.values(texts).map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}

function PendingCard({ projectId, transfer }: { projectId: string; transfer: TransferView }) {
  const { transfer: text } = words().members
  const { timeZone } = useAccount()
  const [asking, setAsking] = useState(false)
  const cancel = useAction(async () => {
    await cancelTransfer(projectId)
    toast(text.cancelled)
  })
  const accept = useAction(async () => {
    await acceptTransfer(projectId)
    toast(text.accepted)
    setAsking(false)
  })
  const { to, isToYou, expiresAt, takesEffectAt } = transfer
  const when = formatDateTime(locale, new Date(takesEffectAt ?? expiresAt), timeZone)
  const states = isToYou ? text.toYou : text.toOther
  return (
    <Card title={text.title}>
      <Notice tone={takesEffectAt ? 'warn' : 'info'} live={false}>
        {takesEffectAt ? states.accepted(to, when) : states.offered(to, when)}
      </Notice>
      {cancel.error !== null && <Failed error={cancel.error} />}
      <div className="flex flex-wrap gap-2">
        {isToYou && !takesEffectAt && (
          <Button kind="main" onClick={() => setAsking(true)}>
            {text.accept}
          </Button>
        )}
        <Button kind="danger" busy={cancel.busy} onClick={() => void cancel.run()}>
          {isToYou && !takesEffectAt ? text.decline : text.cancel}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={text.acceptDialog.title}
          submit={text.accept}
          kind="main"
          busy={accept.busy}
          error={accept.error}
          onConfirm={() => void accept.run()}
          onClose={() => setAsking(false)}
        >
          <p>{text.acceptDialog.text}</p>
          <Consequences texts={text.acceptDialog.consequences} />
        </ConfirmDialog>
      )}
    </Card>
  )
}

import { useState } from 'react'
import type { PasskeyView } from '@pazar/contract'
import { removePasskey, usePasskeys } from '../../../api/passkeys.ts'
import { closeAfterRemoval } from '../../../parts/close-after-removal.ts'
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { Time } from '../../../parts/time.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { securityWords } from '../../../ui/language.ts'
import { Skeleton } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

export function PasskeysCard({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { passkeys: text } = securityWords()
  const { data, error, refetch } = usePasskeys()
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<PasskeyView | null>(null)
  const [removing, setRemoving] = useState<PasskeyView | null>(null)
  return (
    <Card id="factors" title={text.title} text={text.text}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data && !data.available && <p>{text.unavailable}</p>}
      {data?.available && data.passkeys.length === 0 && <p>{text.empty}</p>}
      {data && data.passkeys.length > 0 && (
        <PasskeyList passkeys={data.passkeys} onRename={setRenaming} onRemove={setRemoving} />
      )}
      {data?.available && (
        <div>
          <Button kind={data.passkeys.length === 0 ? 'main' : 'second'} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </div>
      )}
      {adding && (
        <AddPasskeyDialog
          onClose={() => setAdding(false)}
          onAdded={(codes) => {
            setAdding(false)
            if (codes) onCodes(codes)
            else toast(text.added)
          }}
        />
      )}
      {renaming && <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

interface PasskeyListProps {
  passkeys: readonly PasskeyView[]
  onRename: (passkey: PasskeyView) => void
  onRemove: (passkey: PasskeyView) => void
}

function PasskeyList({ passkeys, onRename, onRemove }: PasskeyListProps) {
  const { passkeys: text } = securityWords()
  return (
    <ul className="grid divide-y divide-line">
      {passkeys.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="wrap-anywhere">{one.name}</p>
            <p className="text-sm text-muted">
              {text.created} <Time at={one.createdAt} /> ·{' '}
              {one.lastUsedAt === null ? (
                text.neverUsed
              ) : (
                <>
                  {text.lastUsed} <Time at={one.lastUsedAt} />
                </>
              )}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button small onClick={() => onRename(one)}>
              {text.rename}
              <span className="sr-only">{one.name}</span>
            </Button>
            <Button small onClick={() => onRemove(one)}>
              {text.remove}
              <span className="sr-only">{one.name}</span>
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const { passkeys: text } = securityWords()
  const removal = useAction(async () => {
    await removePasskey(passkey.id)
    closeAfterRemoval(onClose)
    toast(text.removed)
  })
  return (
    <ConfirmDialog
      title={text.removeTitle}
      submit={text.removeSubmit}
      busy={removal.busy}
      error={removal.error}
      onConfirm={() => void removal.run()}
      onClose={onClose}
    >
      <p>{text.removeText(passkey.name)}</p>
    </ConfirmDialog>
  )
}

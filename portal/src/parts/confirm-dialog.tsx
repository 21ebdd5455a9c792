import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import type { ButtonKind } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { words } from '../ui/language.ts'
import { Failed } from './failed.tsx'

export interface ConfirmDialogProps {
  title: string
  submit: string
  kind?: ButtonKind
  busy?: boolean
  error?: unknown
  onConfirm: () => void
  onClose: () => void
  /** A link or button for a safer action than the confirmed one. It is shown before the button that confirms. */
  safer?: ReactNode
  children: ReactNode
}

export function ConfirmDialog({
  title,
  submit,
  kind = 'confirm-danger',
  busy = false,
  error = null,
  onConfirm,
  onClose,
  safer,
  children,
}: ConfirmDialogProps) {
  return (
    // The dialog stays open during the request, because the request cannot be cancelled.
    <Dialog title={title} onClose={() => !busy && onClose()}>
      {children}
      {error !== null && <Failed error={error} />}
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        {safer}
        <Button kind={kind} busy={busy} onClick={onConfirm}>
          {submit}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {words().frame.cancel}
        </Button>
      </div>
    </Dialog>
  )
}

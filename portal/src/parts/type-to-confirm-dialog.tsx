// A dialog for actions that are hard or impossible to undo. The user types a name or an email address.
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { FieldProps } from '../ui/field.tsx'
import { words } from '../ui/language.ts'
import { Failed } from './failed.tsx'
import { useAction } from './use-action.ts'

export interface TypeToConfirmDialogProps {
  title: string
  field: Pick<FieldProps, 'label' | 'hint' | 'type'>
  isMatch: (typed: string) => boolean
  submit: string
  act: (typed: string) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

export function TypeToConfirmDialog(props: TypeToConfirmDialogProps) {
  const { title, field, isMatch, submit, act, onClose, children } = props
  const [typed, setTyped] = useState('')
  const { run, busy, error } = useAction(act)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run(typed)
  }
  return (
    // The dialog stays open during the request, because the request cannot be cancelled.
    <Dialog title={title} onClose={() => !busy && onClose()}>
      {children}
      {error !== null && <Failed error={error} />}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field {...field} value={typed} onText={setTyped} autoComplete="off" required />
        <div className="flex flex-wrap gap-2">
          <Button kind="confirm-danger" type="submit" disabled={!isMatch(typed)} busy={busy}>
            {submit}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

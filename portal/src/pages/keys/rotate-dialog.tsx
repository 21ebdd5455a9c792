// Replacing a secret: what stops working, the project's name typed by hand, then the new one, to be copied at once.
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { Mode } from '@pazar/contract'
import { GivenUp } from '../../api/api-error.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { isSameName } from '../../ui/same-name.ts'
import { SecretValue } from './secret-value.tsx'
import { useShownSecret } from './use-shown-secret.ts'

export interface RotateDialogProps {
  mode: Mode
  projectName: string
  rotate: () => Promise<string>
  onClose: () => void
}

export function RotateDialog({ mode, projectName, rotate, onClose }: RotateDialogProps) {
  const { keys, frame } = words()
  const fresh = useShownSecret()
  const [isDone, setIsDone] = useState(false)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      fresh.show(await rotate())
      setIsDone(true)
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  if (isDone) {
    return (
      // Keyed, so that the focus comes to the new dialog's first button when the field it was in is gone.
      <Dialog key="fresh" title={keys.fresh.title} onClose={onClose} stays>
        <p>{keys.fresh.text}</p>
        <SecretValue mode={mode} value={fresh.value} />
        {fresh.value !== null && <FreshSecret mode={mode} value={fresh.value} />}
        <div>
          <Button kind="main" onClick={onClose}>
            {keys.fresh.close}
          </Button>
        </div>
      </Dialog>
    )
  }
  const { dialog } = keys
  const matches = isSameName(typed, projectName)
  return (
    // While it is under way there is nothing to call off: the old secret may be gone already.
    <Dialog title={mode === 'live' ? dialog.titleLive : dialog.titleTest} onClose={() => !busy && onClose()}>
      <Notice tone="warn" title={dialog.immediate} live={false}>
        <ul className="list-disc pl-5">
          <li>{dialog.stops.callbacks}</li>
          <li>{dialog.stops.links}</li>
          <li>{dialog.stops.status}</li>
        </ul>
      </Notice>
      {error !== null && <Failed error={error} />}
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={dialog.nameField}
          hint={dialog.typeName(projectName)}
          value={typed}
          onText={setTyped}
          autoComplete="off"
          autoFocus
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" type="submit" disabled={!matches} busy={busy}>
            {dialog.submit}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function FreshSecret({ mode, value }: { mode: Mode; value: string }) {
  const { keys } = words()
  const line = `PAZAR_${mode.toUpperCase()}_SECRET=${value}`
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton data-first small={false} kind="main" text={value} what={keys.value} />
      <CopyButton small={false} text={line} label={keys.fresh.envLine} />
    </div>
  )
}

// Replaces a secret: says what stops working, asks for the project's name, then shows the new secret.
import { useState } from 'react'
import type { Mode } from '@pazar/contract'
import { isSameName } from '../../parts/same-name.ts'
import { TypeToConfirmDialog } from '../../parts/type-to-confirm-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { setupWords } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { SecretValue } from './secret-value.tsx'
import { useShownSecret } from './use-shown-secret.ts'

export const NEXT_SECRET_ID = 'next-secret'

export interface RotateDialogProps {
  mode: Mode
  projectName: string
  rotate: () => Promise<string>
  onClose: () => void
  /** The rotation activates the prepared secret, which the merchant's server should already have. */
  isPrepared?: boolean
  /** The rotation would discard a prepared secret. */
  discardsNext?: boolean
}

export function RotateDialog(props: RotateDialogProps) {
  const { mode, projectName, rotate, onClose, isPrepared = false, discardsNext = false } = props
  const { dialog, next } = setupWords().keys
  const newSecret = useShownSecret()
  const [isDone, setIsDone] = useState(false)
  const { value } = newSecret
  if (isDone) return <NewSecretDialog mode={mode} isPrepared={isPrepared} value={value} onClose={onClose} />
  return (
    <TypeToConfirmDialog
      title={isPrepared ? dialog.titleNext : mode === 'live' ? dialog.titleLive : dialog.titleTest}
      field={{ label: dialog.typeName(projectName) }}
      isMatch={(typed) => isSameName(typed, projectName)}
      submit={isPrepared ? dialog.submitNext : dialog.submit}
      act={async () => {
        newSecret.show(await rotate())
        setIsDone(true)
      }}
      onClose={onClose}
    >
      <Notice tone="warn" title={dialog.immediate} live={false}>
        <ul className="list-disc pl-5">
          <li>{isPrepared ? dialog.hasNext : dialog.stops.callbacks}</li>
          <li>{mode === 'live' ? dialog.stops.links : dialog.stops.testLinks}</li>
          <li>{dialog.stops.status}</li>
        </ul>
      </Notice>
      {mode === 'live' && !isPrepared && (
        <p className="text-sm">
          {discardsNext ? dialog.discardsNext : dialog.saferWay}{' '}
          <button
            type="button"
            className="text-accent underline underline-offset-4"
            onClick={() => {
              onClose()
              document.getElementById(NEXT_SECRET_ID)?.scrollIntoView()
            }}
          >
            {discardsNext ? dialog.toNext : next.prepare}
          </button>
        </p>
      )}
    </TypeToConfirmDialog>
  )
}

interface NewSecretDialogProps {
  mode: Mode
  isPrepared: boolean
  /** Null after the secret was hidden again. */
  value: string | null
  onClose: () => void
}

function NewSecretDialog({ mode, isPrepared, value, onClose }: NewSecretDialogProps) {
  const { keys } = setupWords()
  return (
    <Dialog title={keys.fresh.title} onClose={onClose} ignoresOutsideClicks>
      <p>{isPrepared ? keys.fresh.textNext : keys.fresh.text}</p>
      <SecretValue mode={mode} value={value} />
      {value !== null && (
        <div className="flex flex-wrap gap-2">
          <CopyButton data-initial-focus small={false} kind="main" text={value} what={keys.value} />
          <CopyButton small={false} text={`PAZAR_SECRET=${value}`} label={keys.fresh.envLine} />
        </div>
      )}
      <div>
        <Button kind="main" onClick={onClose}>
          {keys.fresh.close}
        </Button>
      </div>
    </Dialog>
  )
}

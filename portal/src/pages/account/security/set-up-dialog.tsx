import { useState } from 'react'
import { toFieldErrors } from '../../../api/api-error.ts'
import { confirmTotp } from '../../../api/factors.ts'
import type { TotpOffer } from '../../../api/factors.ts'
import { FormError } from '../../../parts/form-error.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { words } from '../../../ui/language.ts'
import { useForm } from '../../../ui/use-form.ts'

export interface SetUpDialogProps {
  offer: TotpOffer
  onClose: () => void
  onDone: (recoveryCodes: string[]) => void
}

/** The secret in groups of four characters, as authenticator apps show it. */
const toGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

export function SetUpDialog({ offer, onClose, onDone }: SetUpDialogProps) {
  const { setUp: text } = words().security.app
  const [code, setCode] = useState('')
  const { error, busy, onSubmit } = useForm(async () => onDone(await confirmTotp(code)))
  const fieldErrors = toFieldErrors(error)
  return (
    <Dialog title={text.title} onClose={onClose} ignoresOutsideClicks>
      <p>{text.scan}</p>
      <div data-theme="light" className="mx-auto w-full max-w-56 rounded-control bg-white">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(offer.qr)}`}
          alt={text.qrAlt}
          className="size-full"
        />
      </div>
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">{text.secret}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-control border border-line bg-surface px-3 py-2 font-mono text-sm wrap-anywhere select-all">
            {toGroups(offer.secret)}
          </code>
          <CopyButton text={offer.secret} what={text.secret} />
        </div>
      </div>
      {fieldErrors['code'] === undefined && <FormError error={error} />}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.code}
          value={code}
          onText={setCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={40}
          mono
          autoFocus
          required
          error={fieldErrors['code']}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {text.submit}
          </Button>
          <Button onClick={onClose}>{words().frame.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

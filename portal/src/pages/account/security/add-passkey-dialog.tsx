import { useState } from 'react'
import { PASSKEY_NAME_MAX } from '@pazar/contract/limits'
import { toBrowserName } from '@pazar/words'
import { toFieldErrors } from '../../../api/api-error.ts'
import { addPasskey, PasskeyError } from '../../../api/passkeys.ts'
import { FormError } from '../../../parts/form-error.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { securityWords, words } from '../../../ui/language.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../ui/use-form.ts'

export interface AddPasskeyDialogProps {
  onClose: () => void
  onAdded: (recoveryCodes: string[] | null) => void
}

export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
  const { passkeys: text } = securityWords()
  const [name, setName] = useState(() => toBrowserName(navigator.userAgent).slice(0, PASSKEY_NAME_MAX))
  const { error, busy, onSubmit } = useForm(async () => onAdded(await addPasskey(name.trim())))
  const fieldErrors = toFieldErrors(error)
  const hasFailed = error instanceof PasskeyError || 'response' in fieldErrors
  return (
    <Dialog title={text.addTitle} onClose={onClose}>
      {hasFailed ? <Notice tone="warn">{text.failed}</Notice> : <FormError error={error} fields={['name']} />}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.name}
          value={name}
          onText={setName}
          hint={text.nameHint}
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          autoFocus
          required
          error={fieldErrors['name']}
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

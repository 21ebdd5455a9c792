import { useState } from 'react'
import type { PasskeyView } from '@pazar/contract'
import { PASSKEY_NAME_MAX } from '@pazar/contract/limits'
import { toFieldErrors } from '../../../api/api-error.ts'
import { renamePasskey } from '../../../api/passkeys.ts'
import { FormError } from '../../../parts/form-error.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { securityWords, words } from '../../../ui/language.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useForm } from '../../../ui/use-form.ts'

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const { passkeys: text } = securityWords()
  const [name, setName] = useState(passkey.name)
  const { error, busy, onSubmit } = useForm(async () => {
    await renamePasskey(passkey.id, name.trim())
    onClose()
    toast(text.renamed)
  })
  return (
    <Dialog title={text.renameTitle} onClose={() => !busy && onClose()}>
      <FormError error={error} fields={['name']} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.name}
          value={name}
          onText={setName}
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          autoFocus
          required
          error={toFieldErrors(error)['name']}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {words().frame.save}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

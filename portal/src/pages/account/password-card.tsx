import { useState } from 'react'
import { toFieldErrors } from '../../api/api-error.ts'
import { changePassword, useWorkingTokenCount } from '../../api/tokens.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Check } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'

export function PasswordCard() {
  const { password: text } = words().account
  const { newPassword, passwordHint } = words().entry
  const [password, setPassword] = useState('')
  // Off by default, because a routine change of password must not stop programs in production.
  const [revokeTokens, setRevokeTokens] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const tokenCount = useWorkingTokenCount().count ?? 0
  const { error, busy, onSubmit } = useForm(async () => {
    setDone(null)
    await changePassword({ password, revokeTokens })
    setPassword('')
    setRevokeTokens(false)
    setDone(revokeTokens ? text.doneWithTokens : text.done)
  })
  return (
    <Card title={text.title}>
      <FormError error={error} fields={['password']} unknownOutcome={text.unknownOutcome} />
      {done !== null && <Notice tone="ok">{done}</Notice>}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <PasswordField
          label={newPassword}
          value={password}
          onText={setPassword}
          autoComplete="new-password"
          required
          hint={passwordHint}
          error={toFieldErrors(error)['password']}
        />
        {tokenCount > 0 && (
          <Check
            label={text.revokeTokens(tokenCount)}
            hint={text.revokeTokensHint}
            checked={revokeTokens}
            onCheck={setRevokeTokens}
          />
        )}
        <div>
          <Button type="submit" busy={busy}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Card>
  )
}

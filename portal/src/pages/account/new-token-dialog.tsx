// Creates an API token and shows it once. Only the state of this dialog contains the token.
import { useEffect, useState } from 'react'
import type { NewTokenBody, TokenScope } from '@pazar/contract'
import { toFieldErrors } from '../../api/api-error.ts'
import { pageData } from '../../api/page-data.ts'
import { createToken } from '../../api/tokens.ts'
import { useDraft } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { parseAmount } from '../../parts/parse-amount.ts'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { DailyCap, ProjectRestriction } from './token-limits.tsx'

/** One day is for a single task. 365 days are the longest time that the service allows. */
const DAYS = ['1', '7', '30', '90', '365'] as const
type Days = (typeof DAYS)[number]

const SCOPES = ['read', 'write', 'refund'] as const satisfies readonly TokenScope[]

type TokenDraft = { name: string; scope: TokenScope; projectId: string; dailyCap: string; days: Days }
const EMPTY: TokenDraft = { name: '', scope: 'read', projectId: '', dailyCap: '', days: '90' }

function toBody({ name, scope, projectId, dailyCap, days }: TokenDraft): NewTokenBody | null {
  const body = { name: name.trim(), scope, expiresInDays: Number(days) }
  if (scope !== 'refund') return projectId === '' ? body : { ...body, projectId }
  const cap = parseAmount(dailyCap, pageData.amountScale, pageData.currency)
  return cap === null ? null : { ...body, projectId, dailyCap: cap }
}

export interface NewTokenDialogProps {
  scope: TokenScope
  onClose: () => void
}

export function NewTokenDialog({ scope, onClose }: NewTokenDialogProps) {
  const [token, setToken] = useState<string | null>(null)
  return token === null ? (
    <TokenForm scope={scope} onCreated={setToken} onClose={onClose} />
  ) : (
    <NewToken token={token} onClose={onClose} />
  )
}

function TokenForm({
  scope: initialScope,
  onCreated,
  onClose,
}: NewTokenDialogProps & { onCreated: (token: string) => void }) {
  const { form, scopes } = words().account.tokens
  const draft = useDraft('new-token', { ...EMPTY, scope: initialScope })
  const { name, scope, days } = draft.values
  const { error, busy, onSubmit } = useForm(async () => {
    const body = toBody(draft.values)
    if (body === null) return
    const token = await createToken(body)
    draft.resetTo(EMPTY)
    onCreated(token)
  })
  const cancel = () => {
    draft.resetTo(EMPTY)
    onClose()
  }
  return (
    // The dialog stays open during the request, because otherwise nobody would see the new token.
    <Dialog title={form.title} onClose={() => !busy && cancel()}>
      <FormError error={error} fields={['name', 'projectId', 'dailyCap']} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={form.name}
          hint={form.nameHint}
          value={name}
          onText={(text) => draft.set({ name: text })}
          maxLength={80}
          autoComplete="off"
          required
          autoFocus
          error={toFieldErrors(error)['name']}
        />
        <div className="grid gap-1.5">
          <Choice
            label={form.scope}
            value={scope}
            options={SCOPES.map((value) => ({ value, label: scopes[value] }))}
            onChoice={(value) => draft.set({ scope: value })}
          />
          <p className="text-sm text-muted" aria-live="polite">
            {form.scopeHints[scope]}
          </p>
        </div>
        <ProjectRestriction
          projectId={draft.values.projectId}
          isRequired={scope === 'refund'}
          onChoice={(projectId) => draft.set({ projectId })}
          error={toFieldErrors(error)['projectId']}
        />
        {scope === 'refund' && (
          <DailyCap
            dailyCap={draft.values.dailyCap}
            onText={(dailyCap) => draft.set({ dailyCap })}
            error={toFieldErrors(error)['dailyCap']}
          />
        )}
        <Choice
          label={form.days}
          value={days}
          options={DAYS.map((value) => ({ value, label: form.daysCount(Number(value)) }))}
          onChoice={(value) => draft.set({ days: value })}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {form.submit}
          </Button>
          <Button disabled={busy} onClick={cancel}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { fresh } = words().account.tokens
  // Without this listener, the Back button would show the token again.
  useEffect(() => {
    window.addEventListener('pagehide', onClose)
    return () => window.removeEventListener('pagehide', onClose)
  }, [onClose])
  return (
    <Dialog title={fresh.title} onClose={onClose} ignoresOutsideClicks>
      <p>{fresh.text}</p>
      <output
        aria-label={fresh.value}
        className="min-h-11 rounded-control border border-line bg-surface px-3 py-2 font-mono wrap-anywhere select-all"
      >
        {token}
      </output>
      <div className="flex flex-wrap gap-2">
        <CopyButton data-initial-focus small={false} kind="main" text={token} what={fresh.value} />
        <Button onClick={onClose}>{fresh.close}</Button>
      </div>
    </Dialog>
  )
}

// The dialogs "sign in again" and "confirm it is you", which can open over any page.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { SecondFactor } from '@pazar/contract'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { signInWithCode, signInWithPassword } from '../api/factors.ts'
import { gateStore, settleGate } from '../api/gates.ts'
import type { Gate } from '../api/gates.ts'
import { signInWithPasskey, stepUpWithPasskey } from '../api/passkeys.ts'
import { continueAs, findAccount, toSignInUrl } from '../api/session.ts'
import type { Session } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Failed } from '../parts/failed.tsx'
import { FormError } from '../parts/form-error.tsx'
import { SecondFactorForm } from '../parts/second-factor-form.tsx'
import { Skeleton } from '../ui/states.tsx'
import { useForm } from '../ui/use-form.ts'
import { useWaitMs } from '../parts/use-wait.ts'
import { allowLeaving } from '../ui/drafts.ts'
import { entryWords } from '../ui/language.ts'

/** Requests of these dialogs must not open another dialog. */
const WITHOUT_DIALOG = { asksForSignIn: false }

export function Gates() {
  const gate = useSyncExternalStore(gateStore.subscribe, gateStore.current)
  if (gate === null) return null
  return gate === 'step-up' ? <StepUpDialog /> : <SignInDialog />
}

function cancelGate(): void {
  settleGate(false)
}

/** Closes the dialog when the user leaves the page, because the action that they had to confirm belongs to that page. */
function useCancelOnLeave(): void {
  const page = useRouterState({ select: ({ location }) => location.href })
  const [startPage] = useState(page)
  useEffect(() => {
    if (page !== startPage) cancelGate()
  }, [page, startPage])
}

/**
 * If the session was lost, the step-up dialog closes as if the user had completed it, and the waiting requests are repeated.
 * Their responses open the sign-in dialog and, after the sign-in, the step-up dialog again.
 */
function settleIfLost(error: unknown): void {
  if (!hasCode(error, 'unauthenticated')) throw error
  settleGate(true)
}

/** `stepUpWith` of the session lists the factors with which the user can confirm. */
function StepUpDialog() {
  const { frame, secondFactor } = entryWords()
  useCancelOnLeave()
  const [proofs, setProofs] = useState<Session['stepUpWith'] | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    call<Session>('/portal/api/session', undefined, WITHOUT_DIALOG)
      .then(({ stepUpWith }) => setProofs(stepUpWith), settleIfLost)
      .catch(setError)
  }, [])
  const factors = proofs?.filter((one) => one !== 'password') ?? []
  const settleAfter = (proof: Promise<unknown>) => proof.then(() => settleGate(true), settleIfLost)
  const confirm = (proof: { password: string } | { code: string }) =>
    settleAfter(call('/portal/api/step-up', proof, WITHOUT_DIALOG))
  return (
    <Dialog title={frame.stepUp.title} onClose={cancelGate}>
      {error !== null && <Failed error={error} />}
      {proofs === null && error === null && <Skeleton />}
      {proofs !== null && factors.length === 0 && (
        <PasswordForm gate="step-up" onPassword={(password) => confirm({ password })} />
      )}
      {factors.length > 0 && (
        <SecondFactorForm
          factors={factors}
          submit={frame.stepUp.submit}
          onCode={(code) => confirm({ code })}
          onPasskey={() => settleAfter(stepUpWithPasskey())}
        >
          <Button onClick={cancelGate}>{frame.cancel}</Button>
          <p className="basis-full text-sm text-muted">{secondFactor.stepUpText}</p>
        </SecondFactorForm>
      )}
    </Dialog>
  )
}

function SignInDialog() {
  const { frame, secondFactor } = entryWords()
  const [factors, setFactors] = useState<SecondFactor[] | null>(null)
  const [isExpired, setIsExpired] = useState(false)
  async function signIn(password: string): Promise<void> {
    const answer = await signInWithPassword(findAccount()?.email ?? '', password)
    if ('secondFactor' in answer) return setFactors(answer.secondFactor)
    continueAs(answer.account)
  }
  async function complete(code: string): Promise<void> {
    try {
      continueAs(await signInWithCode(code))
    } catch (error) {
      if (!hasCode(error, 'unauthenticated')) throw error
      setIsExpired(true)
      setFactors(null)
    }
  }
  return (
    <Dialog title={frame.signInAgain.title} onClose={cancelGate}>
      {isExpired && factors === null && <Notice tone="warn">{secondFactor.expired}</Notice>}
      {factors === null ? (
        <PasswordForm gate="sign-in" onPassword={signIn} />
      ) : (
        <SecondFactorForm
          factors={factors}
          submit={secondFactor.submit}
          onCode={complete}
          onPasskey={async () => continueAs(await signInWithPasskey())}
        >
          <Button onClick={cancelGate}>{frame.cancel}</Button>
        </SecondFactorForm>
      )}
    </Dialog>
  )
}

interface PasswordFormProps {
  gate: Gate
  onPassword: (password: string) => Promise<void>
}

function PasswordForm({ gate, onPassword }: PasswordFormProps) {
  const { frame, entry } = entryWords()
  const text = gate === 'step-up' ? frame.stepUp : frame.signInAgain
  const email = findAccount()?.email ?? ''
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { error, busy, onSubmit } = useForm(async () => {
    try {
      await onPassword(password)
    } catch (thrown) {
      setPassword('')
      // The button may be disabled now, so the field gets the focus.
      form.current?.querySelector<HTMLElement>('input:not([readonly])')?.focus()
      throw thrown
    }
  })
  const isLocked = useWaitMs(error) > 0
  const isWrong = hasCode(error, 'invalid_credentials')
  return (
    <>
      <p>{text.text}</p>
      {!isWrong && <FormError error={error} />}
      {/* Screen readers would not read the error of the field, because the field already has the focus. */}
      {isWrong && (
        <p role="alert" className="sr-only">
          {frame.wrongPassword}
        </p>
      )}
      <form ref={form} className="grid gap-4" onSubmit={onSubmit}>
        <Field label={entry.email} value={email} readOnly autoComplete="username" />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete="current-password"
          autoFocus
          required
          error={isWrong ? frame.wrongPassword : null}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy} disabled={isLocked}>
            {text.submit}
          </Button>
          <Button onClick={cancelGate}>{frame.cancel}</Button>
        </div>
        {gate === 'sign-in' && (
          <p>
            <button
              type="button"
              className="min-h-11 text-accent underline underline-offset-4"
              onClick={() => {
                allowLeaving()
                location.assign(toSignInUrl())
              }}
            >
              {frame.signInAgain.other}
            </button>
          </p>
        )}
      </form>
    </>
  )
}

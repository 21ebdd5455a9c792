import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SecondFactor } from '@pazar/contract'
import { hasCode } from '../../api/api-error.ts'
import { signInWithCode } from '../../api/factors.ts'
import { signInWithPasskey } from '../../api/passkeys.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { pageData } from '../../api/page-data.ts'
import { entryWords } from '../../ui/language.ts'
import { parseNext } from '../../parts/search.ts'
import { PasskeyButton } from '../../parts/passkey-button.tsx'
import { Or, SecondFactorForm } from '../../parts/second-factor-form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CredentialsForm, useFinishSignIn } from './credentials-form.tsx'
import { suggestEmail } from './use-email-draft.ts'

export function Page() {
  const { entry, secondFactor } = entryWords()
  const { signIn } = entry
  const { next } = parseNext(useSearch({ from: '/sign-in' }))
  const [factors, setFactors] = useState<SecondFactor[] | null>(null)
  const [isExpired, setIsExpired] = useState(false)
  const finishSignIn = useFinishSignIn(next)
  const restart = (hasExpired: boolean) => {
    setIsExpired(hasExpired)
    if (!hasExpired) suggestEmail('')
    setFactors(null)
  }
  if (factors) return <SecondStep factors={factors} next={next} onRestart={restart} />
  return (
    <EntryFrame title={signIn.title}>
      {isExpired && <Notice tone="warn">{secondFactor.expired}</Notice>}
      <CredentialsForm
        next={next}
        onSecondFactor={(needed, email) => {
          suggestEmail(email)
          setFactors(needed)
        }}
      />
      {pageData.passkeysAvailable && (
        <>
          <Or />
          <PasskeyButton label={signIn.passkey} onUse={async () => finishSignIn(await signInWithPasskey())} />
        </>
      )}
      <p>
        <Link to="/forgot" className="text-accent underline underline-offset-4">
          {signIn.forgot}
        </Link>
      </p>
      {pageData.signUpOpen && (
        <p className="text-muted">
          {signIn.noAccount}{' '}
          <Link
            to="/sign-up"
            search={next ? { next } : {}}
            className="text-accent underline underline-offset-4"
          >
            {signIn.create}
          </Link>
        </p>
      )}
    </EntryFrame>
  )
}

interface SecondStepProps {
  factors: readonly SecondFactor[]
  next: string | undefined
  /** `hasExpired`: true if the sign-in has expired, false if the user chose to go back. */
  onRestart: (hasExpired: boolean) => void
}

function SecondStep({ factors, next, onRestart }: SecondStepProps) {
  const { secondFactor: text } = entryWords()
  const finishSignIn = useFinishSignIn(next)
  async function complete(code: string): Promise<void> {
    try {
      await finishSignIn(await signInWithCode(code))
    } catch (error) {
      if (!hasCode(error, 'unauthenticated')) throw error
      onRestart(true)
    }
  }
  return (
    <EntryFrame title={text.title}>
      <SecondFactorForm
        isSignIn
        factors={factors}
        submit={text.submit}
        onCode={complete}
        onPasskey={async () => finishSignIn(await signInWithPasskey())}
      >
        <button
          type="button"
          className="min-h-11 text-accent underline underline-offset-4"
          onClick={() => onRestart(false)}
        >
          {text.back}
        </button>
      </SecondFactorForm>
    </EntryFrame>
  )
}

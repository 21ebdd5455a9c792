import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SecondFactor } from '@pazar/contract'
import { ApiError } from '../../api/api-error.ts'
import { signInWithCode } from '../../api/factors.ts'
import { signInWithPasskey } from '../../api/passkeys.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { pageData } from '../../api/page-data.ts'
import { entryWords } from '../../ui/language.ts'
import { parseNext } from '../../parts/search.ts'
import { PasskeyButton } from '../../parts/passkey-button.tsx'
import { Or, SecondFactorForm } from '../../parts/second-factor-form.tsx'
import { CredentialsForm, useFinishSignIn } from './credentials-form.tsx'

export function Page() {
  const { signIn } = entryWords().entry
  const { next } = parseNext(useSearch({ from: '/sign-in' }))
  const [factors, setFactors] = useState<SecondFactor[] | null>(null)
  const finishSignIn = useFinishSignIn(next)
  if (factors) return <SecondStep factors={factors} next={next} onBack={() => setFactors(null)} />
  return (
    <EntryFrame title={signIn.title}>
      <CredentialsForm next={next} onSecondFactor={setFactors} />
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
  onBack: () => void
}

function SecondStep({ factors, next, onBack }: SecondStepProps) {
  const { secondFactor: text } = entryWords()
  const finishSignIn = useFinishSignIn(next)
  async function complete(code: string): Promise<void> {
    try {
      await finishSignIn(await signInWithCode(code))
    } catch (error) {
      // The password was entered too long ago, so it is asked for again.
      if (error instanceof ApiError && error.code === 'unauthenticated') return onBack()
      throw error
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
        <button type="button" className="min-h-11 text-accent underline underline-offset-4" onClick={onBack}>
          {text.back}
        </button>
      </SecondFactorForm>
    </EntryFrame>
  )
}

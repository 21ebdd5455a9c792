import { Link, useSearch } from '@tanstack/react-router'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { parseNext } from '../../app/search.ts'
import { CredentialsForm } from './credentials-form.tsx'

export function Page() {
  const { signIn } = words().entry
  const { next } = parseNext(useSearch({ from: '/sign-in' }))
  return (
    <EntryFrame title={signIn.title}>
      <CredentialsForm next={next} />
      <p>
        <Link to="/forgot" className="text-accent underline underline-offset-4">
          {signIn.forgot}
        </Link>
      </p>
      {facts.signUpOpen && (
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

import { Link, useSearch } from '@tanstack/react-router'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { pageData } from '../../api/page-data.ts'
import { words } from '../../ui/language.ts'
import { parseNext } from '../../parts/search.ts'
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

import { Link, useSearch } from '@tanstack/react-router'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { pageData } from '../../api/page-data.ts'
import { entryWords } from '../../ui/language.ts'
import { parseNext } from '../../parts/search.ts'
import { Notice } from '../../ui/notice.tsx'
import { CredentialsForm } from './credentials-form.tsx'

export function Page() {
  const { signUp } = entryWords().entry
  const { next } = parseNext(useSearch({ from: '/sign-up' }))
  return (
    <EntryFrame title={signUp.title}>
      {pageData.signUpOpen ? (
        <>
          <p className="text-muted">{signUp.text}</p>
          <CredentialsForm isNew next={next} />
        </>
      ) : (
        <Notice tone="info">{signUp.closed}</Notice>
      )}
      <p className="text-muted">
        {signUp.haveAccount}{' '}
        <Link
          to="/sign-in"
          search={next ? { next } : {}}
          className="text-accent underline underline-offset-4"
        >
          {signUp.toSignIn}
        </Link>
      </p>
    </EntryFrame>
  )
}

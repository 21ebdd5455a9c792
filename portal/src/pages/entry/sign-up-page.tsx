import { Link, useSearch } from '@tanstack/react-router'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { parseNext } from '../../app/search.ts'
import { Notice } from '../../ui/notice.tsx'
import { CredentialsForm } from './credentials-form.tsx'

export function Page() {
  const { signIn, signUp } = words().entry
  const { next } = parseNext(useSearch({ from: '/sign-up' }))
  return (
    <EntryFrame title={signUp.title}>
      {facts.signUpOpen ? (
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
          {signIn.title}
        </Link>
      </p>
    </EntryFrame>
  )
}

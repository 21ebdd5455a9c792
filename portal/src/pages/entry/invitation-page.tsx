// A mailed invitation to a project, for people with and without an account.
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { acceptInvitation } from '../../api/members.ts'
import { findAccount } from '../../api/session.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { locale, words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { useMailedToken } from './mailed-token.ts'

/** In this tab alone, until the invitation is accepted: signing in opens other pages, and no address may contain the token. */
const STORED = 'invitation'
const THIS_PAGE = `/${locale}/invitation`

export function Page() {
  const { invitation: text } = words().members
  const { reset } = words().entry
  const mailed = useMailedToken()
  const token = mailed ?? sessionStorage.getItem(STORED)
  useEffect(() => {
    if (mailed !== null) sessionStorage.setItem(STORED, mailed)
  }, [mailed])
  const account = findAccount()
  const [isNew, setIsNew] = useState(false)
  return (
    <EntryFrame title={text.title}>
      {token === null && <Notice tone="warn">{reset.noToken}</Notice>}
      {token !== null && account && <Accept token={token} email={account.email} />}
      {token !== null && !account && (
        <>
          <p className="text-muted">{text.text}</p>
          {isNew ? (
            <CredentialsForm isNew invitation={token} next={THIS_PAGE} />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button kind="main" onClick={() => setIsNew(true)}>
                {text.create}
              </Button>
              <Link to="/sign-in" search={{ next: THIS_PAGE }} className={buttonClass('second')}>
                {text.signIn}
              </Link>
            </div>
          )}
        </>
      )}
      <Link to="/projects" reloadDocument className={buttonClass('second')}>
        {text.toProjects}
      </Link>
    </EntryFrame>
  )
}

function Accept({ token, email }: { token: string; email: string }) {
  const { invitation: text } = words().members
  const { run, busy, error } = useAction(async () => {
    const { id } = await acceptInvitation(token)
    sessionStorage.removeItem(STORED)
    location.replace(`/${locale}/projects/${id}`)
  })
  const isOver = error instanceof ApiError && error.code === 'token_expired'
  return (
    <>
      <p>{text.signedInAs(email)}</p>
      {isOver && <Notice tone="error">{text.over}</Notice>}
      {error !== null && !isOver && <Failed error={error} />}
      <Button kind="main" busy={busy} onClick={() => void run()}>
        {text.accept}
      </Button>
    </>
  )
}

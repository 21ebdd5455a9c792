// How a person accepts an open invitation. A signed-in person accepts at once. Any other person first signs in or creates
// an account. Only an account with the invited address can accept.
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { acceptInvitation } from '../../api/members.ts'
import { findAccount, signOut } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { locale, entryWords } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { InvitationFacts } from './invitation-facts.tsx'
import type { NamedInvitation } from './invitation-facts.tsx'
import { invitationToken } from './invitation-token.ts'
import { suggestEmail } from './use-email-draft.ts'

const THIS_PAGE = `/${locale}/invitation`

export interface InvitationStepsProps {
  invitation: NamedInvitation
  token: string
  /** Called if the invitation has ended in the meantime. */
  onEnded: () => void
}

/** Like the service, this comparison ignores letter case and the encoding of accents. */
const isSameEmail = (a: string, b: string) =>
  a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()

export function InvitationSteps({ invitation, token, onEnded }: InvitationStepsProps) {
  const account = findAccount()
  if (account && !isSameEmail(account.email, invitation.email))
    return <OtherAccount invitation={invitation} ownEmail={account.email} />
  return (
    <>
      <InvitationFacts invitation={invitation} />
      {account ? (
        <Accept token={token} onEnded={onEnded} />
      ) : (
        <SignedOut email={invitation.email} token={token} />
      )}
    </>
  )
}

function SignedOut({ email, token }: { email: string; token: string }) {
  const { invitation: text } = entryWords().members
  const [isNew, setIsNew] = useState(false)
  useEffect(() => suggestEmail(email), [email])
  if (isNew) return <CredentialsForm isNew invitation={token} next={THIS_PAGE} />
  return (
    <div className="grid gap-3">
      <p className="text-muted wrap-anywhere">{text.text(email)}</p>
      <div className="grid gap-2">
        <Button kind="main" onClick={() => setIsNew(true)}>
          {text.create}
        </Button>
        <Link to="/sign-in" search={{ next: THIS_PAGE }} className={buttonClass('second')}>
          {text.signIn}
        </Link>
      </div>
    </div>
  )
}

function OtherAccount({ invitation, ownEmail }: { invitation: NamedInvitation; ownEmail: string }) {
  const { invitation: text } = entryWords().members
  const { run, busy, error } = useAction(() => signOut(THIS_PAGE))
  return (
    <>
      <Notice tone="warn" title={text.other.title}>
        {text.other.text(invitation.email, ownEmail)}
      </Notice>
      <InvitationFacts invitation={invitation} />
      {error !== null && <Failed error={error} />}
      <div className="grid gap-2">
        <Button kind="main" busy={busy} onClick={() => void run()}>
          {text.other.switch}
        </Button>
        <Link to="/projects" reloadDocument className={buttonClass('second')}>
          {text.toProjects}
        </Link>
      </div>
    </>
  )
}

function Accept({ token, onEnded }: Pick<InvitationStepsProps, 'token' | 'onEnded'>) {
  const { invitation: text } = entryWords().members
  const { run, busy, error } = useAction(async () => {
    try {
      const { id } = await acceptInvitation(token)
      invitationToken.write(null)
      location.replace(`/${locale}/projects/${id}`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The session has expired. After a reload, the page offers a sign-in.
      if (error.code === 'unauthenticated') return location.reload()
      if (error.code !== 'token_expired') throw error
      onEnded()
    }
  })
  return (
    <>
      {error !== null && <Failed error={error} />}
      <div className="grid gap-2">
        <Button kind="main" busy={busy} onClick={() => void run()}>
          {text.accept}
        </Button>
        <Link to="/projects" reloadDocument className={buttonClass('quiet')}>
          {text.later}
        </Link>
      </div>
    </>
  )
}

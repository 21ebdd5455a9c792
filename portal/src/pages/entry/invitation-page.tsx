import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { InvitationView } from '@pazar/contract'
import { hasCode } from '../../api/api-error.ts'
import { fetchInvitation } from '../../api/members.ts'
import { findAccount } from '../../api/session.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { Failed } from '../../parts/failed.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { entryWords } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Tone } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { InvitationFacts } from './invitation-facts.tsx'
import { InvitationSteps } from './invitation-steps.tsx'
import { invitationToken } from './invitation-token.ts'
import { useMailedToken } from './mailed-token.ts'

export function Page() {
  const { invitation: text } = entryWords().members
  const mailedToken = useMailedToken()
  const token = mailedToken ?? invitationToken.read()
  useEffect(() => {
    if (mailedToken !== null) invitationToken.write(mailedToken)
  }, [mailedToken])
  if (token !== null) return <Invitation token={token} />
  return (
    <EntryFrame title={text.title}>
      <Ended tone="warn" {...text.incomplete} />
    </EntryFrame>
  )
}

function Invitation({ token }: { token: string }) {
  const { invitation: text } = entryWords().members
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => fetchInvitation(token, signal),
  })
  const { data } = query
  const isOpen = data !== undefined && 'project' in data && data.state === 'open'
  return (
    <EntryFrame title={isOpen ? text.join(data.project) : text.title}>
      <Contents token={token} query={query} />
    </EntryFrame>
  )
}

interface ContentsProps {
  token: string
  query: UseQueryResult<InvitationView>
}

function Contents({ token, query: { data, error, refetch } }: ContentsProps) {
  const { invitation: text } = entryWords().members
  if (hasCode(error, 'not_found')) return <Ended tone="warn" {...text.unknown} />
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={3} height="h-12" />
  if (!('project' in data))
    return <Ended tone={data.state === 'accepted' ? 'ok' : 'warn'} {...text[data.state]} />
  if (data.state === 'open')
    return <InvitationSteps invitation={data} token={token} onEnded={() => void refetch()} />
  return (
    <>
      <Notice tone="warn" title={text.expired.title}>
        {text.expired.text(data.invitedBy)}
      </Notice>
      <InvitationFacts invitation={data} />
      <div className="grid gap-2">
        {data.invitedBy !== null && (
          <a href={`mailto:${encodeURIComponent(data.invitedBy)}`} className={buttonClass('main')}>
            {text.expired.ask}
          </a>
        )}
        <ToProjects />
      </div>
    </>
  )
}

function Ended({ tone, title, text }: { tone: Tone; title: string; text: string }) {
  return (
    <>
      <Notice tone={tone} title={title}>
        {text}
      </Notice>
      <ToProjects />
    </>
  )
}

function ToProjects() {
  const { members, entry } = entryWords()
  return (
    <Link to="/projects" reloadDocument className={buttonClass('second')}>
      {findAccount() ? members.invitation.toProjects : entry.signIn.submit}
    </Link>
  )
}

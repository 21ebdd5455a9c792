import type { ReactNode } from 'react'
import type { InvitationView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import { DescriptionList } from '../../ui/description-list.tsx'
import { locale, entryWords } from '../../ui/language.ts'

export type NamedInvitation = Extract<InvitationView, { project: string }>

export function InvitationFacts({ invitation }: { invitation: NamedInvitation }) {
  const { invitation: text, roles, may } = entryWords().members
  const { state, project, role, invitedBy, email, expiresAt } = invitation
  // There may be no account yet, so the time is in the browser's time zone.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const roleFact: [string, ReactNode] = [
    text.facts.role,
    <>
      <span className="font-medium">{roles[role]}</span>
      <span className="block text-muted">{may[role]}</span>
    </>,
  ]
  const invitedByFact: [string, ReactNode] = [text.facts.invitedBy, invitedBy]
  return (
    <DescriptionList
      sentences
      items={[
        [text.facts.project, <strong className="text-base font-strong">{project}</strong>],
        ...(state === 'open' ? [roleFact] : []),
        ...(invitedBy === null ? [] : [invitedByFact]),
        [text.facts.email, email],
        [
          state === 'open' ? text.facts.expiresAt : text.facts.expiredAt,
          formatDateTime(locale, new Date(expiresAt), timeZone),
        ],
      ]}
    />
  )
}

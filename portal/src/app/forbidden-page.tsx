// Replaces a page that the user's role does not allow.
import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { useMembers } from '../api/members.ts'
import { toModeName, useMode } from '../parts/mode.ts'
import { PageHead } from '../parts/page-head.tsx'
import { buttonClass } from '../ui/button.tsx'
import { words } from '../ui/language.ts'

export interface ForbiddenPageProps {
  project: ProjectView
  page: string
}

export function ForbiddenPage({ project: { id, name, role }, page }: ForbiddenPageProps) {
  const { frame, members: texts } = words()
  const { forbidden } = frame
  const mode = useMode()
  // If this request fails, only the owner's address is missing.
  const { data } = useMembers(id)
  const owner = data?.members.find((one) => one.role === 'owner' && one.state === 'active')
  return (
    <>
      <PageHead title={forbidden.title(page)} within={[name, toModeName(mode)]} />
      <div className="grid max-w-prose gap-3">
        <p>
          {forbidden.role} <strong className="font-strong">{texts.roles[role]}</strong>. {texts.may[role]}
        </p>
        <p>
          {forbidden.ask}{' '}
          {owner && (
            <a
              className="inline-block text-accent underline underline-offset-4 wrap-anywhere"
              href={`mailto:${encodeURIComponent(owner.email)}`}
            >
              {owner.email}
            </a>
          )}
        </p>
      </div>
      <div>
        <Link to="/projects/$id" params={{ id }} search={{ mode }} className={buttonClass('main')}>
          {forbidden.action}
        </Link>
      </div>
    </>
  )
}

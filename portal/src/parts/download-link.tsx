// A link to a file that the service streams. Without a session, a plain link would fail silently, so the session is
// checked first.
import type { MouseEvent, ReactNode } from 'react'
import { Download } from 'lucide-react'
import { toErrorText } from '../api/api-error.ts'
import { fetchSession } from '../api/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { useAction } from './use-action.ts'

export interface DownloadLinkProps {
  href: string
  small?: boolean
  children: ReactNode
}

export function DownloadLink({ href, small = false, children }: DownloadLinkProps) {
  const { run, error } = useAction(async (url: string) => {
    await fetchSession()
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = ''
    anchor.click()
  })
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault()
    void run(event.currentTarget.href)
  }
  return (
    <>
      <a className={buttonClass('second', small)} href={href} download onClick={onClick}>
        <Download aria-hidden className="size-4" />
        {children}
      </a>
      {error !== null && <FieldError text={toErrorText(error).title} />}
    </>
  )
}

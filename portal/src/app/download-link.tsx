// A file that the service streams. A link could only fail without a word once the session is lost, so that is asked
// first; then the browser itself fetches it, however long it is.
import { useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { Download } from 'lucide-react'
import { GivenUp, toErrorText } from '../api/api-error.ts'
import { reachSession } from '../api/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'

export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  const [error, setError] = useState<unknown>(null)

  async function download(link: HTMLAnchorElement): Promise<void> {
    setError(null)
    try {
      await reachSession()
      const anchor = document.createElement('a')
      anchor.href = link.href
      anchor.download = ''
      anchor.click()
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    }
  }
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault()
    void download(event.currentTarget)
  }
  return (
    <>
      <a className={buttonClass('second')} href={href} download onClick={onClick}>
        <Download aria-hidden className="size-4" />
        {children}
      </a>
      {error !== null && <FieldError text={toErrorText(error).title} />}
    </>
  )
}

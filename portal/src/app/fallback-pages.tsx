// Replaces a page that does not exist or has crashed.
import { Link } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { findAccount } from '../api/session.ts'
import { buttonClass, Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { saveDraftsForReload } from '../ui/drafts.ts'
import { EntryFrame } from '../parts/entry-frame.tsx'
import { entryWords, loadWords } from '../ui/language.ts'

const Frame = lazy(async () => {
  const [{ Frame: loaded }] = await Promise.all([import('./frame.tsx'), loadWords()])
  return { default: loaded }
})

/** Signed-in people see the menu too. */
export function NotFound() {
  const { title, text, action } = entryWords().frame.notFound
  const link = (
    <Link to="/projects" className={buttonClass('main')}>
      {action}
    </Link>
  )
  if (!findAccount())
    return (
      <EntryFrame title={title}>
        <p className="text-muted">{text}</p>
        {link}
      </EntryFrame>
    )
  return (
    <Suspense fallback={null}>
      <Frame>
        <PageHead title={title} text={text} />
        <div>{link}</div>
      </Frame>
    </Suspense>
  )
}

/** Browsers report a failed import() as a TypeError whose message contains "module" or "import". */
function isMissingChunk(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message)
}

export function Crashed({ error }: ErrorComponentProps) {
  const { crashed, newVersion } = entryWords().frame
  const { title, text } = isMissingChunk(error) ? newVersion : crashed
  return (
    <main id="content" className="mx-auto grid max-w-xl gap-4 p-6 pt-16">
      <PageHead title={title} />
      <Notice tone="warn">{text}</Notice>
      <Button kind="main" onClick={reload}>
        {newVersion.action}
      </Button>
    </main>
  )
}

export function reload(): void {
  saveDraftsForReload()
  location.reload()
}

// The frame of the pages that need no session. Without a session, "Page not found" has this frame too.
import type { ReactNode } from 'react'
import { PageHead } from './page-head.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { OperatorName } from './operator-name.tsx'

export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-h-dvh sm:bg-surface">
      <main id="content" className="mx-auto grid max-w-md gap-6 p-4 sm:pt-16">
        <p className="px-2 text-lg font-strong">
          <OperatorName />
        </p>
        <div className="grid gap-5 p-2 sm:rounded-card sm:border sm:border-line sm:bg-raised sm:p-8">
          <PageHead title={title} />
          {children}
        </div>
        <footer className="flex justify-end px-2">
          <LanguageSwitch />
        </footer>
      </main>
    </div>
  )
}

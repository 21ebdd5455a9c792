import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Gates } from './gate-dialogs.tsx'
import { entryWords } from '../ui/language.ts'
import { NewVersion } from './new-version.tsx'
import { Toasts } from '../ui/toasts.tsx'

export function Root() {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:left-4 focus:top-4 focus:z-50 focus:rounded-button focus:bg-accent focus:px-4 focus:py-3 focus:text-on-accent"
      >
        {entryWords().frame.skip}
      </a>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <Gates />
      <NewVersion />
      <Toasts />
    </>
  )
}

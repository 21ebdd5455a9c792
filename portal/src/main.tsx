import './styles.css'
import 'virtual:theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { findAccount, queryClient } from './api/session.ts'
import { loadEntryWords, loadWords } from './ui/language.ts'
import { router } from './app/router.tsx'

async function startPortal(root: HTMLElement): Promise<void> {
  try {
    await (findAccount() ? loadWords() : loadEntryWords())
  } catch (error) {
    // Without words, nothing can be drawn, so the HTML page shows its own message.
    root.dataset['broken'] = ''
    throw error
  }
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const root = document.getElementById('portal')
if (!root) throw new Error('The page has no element for the portal.')
void startPortal(root)

// The portal starts here: words of the page's language first, then the router takes over.
import './styles.css'
import 'virtual:theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/session.ts'
import { loadWords } from './app/language.ts'
import { router } from './app/router.tsx'

async function start(place: HTMLElement): Promise<void> {
  try {
    await loadWords()
  } catch (error) {
    // Without words nothing can be drawn; the page has a sentence of its own, and shows it now.
    place.dataset['broken'] = ''
    throw error
  }
  createRoot(place).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const place = document.getElementById('portal')
if (!place) throw new Error('The page has no place for the portal.')
void start(place)

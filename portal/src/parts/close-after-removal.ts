import { flushSync } from 'react-dom'

/**
 * Closes the dialog that has removed a row, and focuses the heading of the page. Otherwise the dialog would return the
 * focus to a button of the removed row. That button is gone, so the Tab key would start again at the top of the page.
 */
export function closeAfterRemoval(onClose: () => void): void {
  const isDialogOpen = document.querySelector('dialog[open]') !== null
  flushSync(onClose)
  if (isDialogOpen) document.querySelector('h1')?.focus({ preventScroll: true })
}

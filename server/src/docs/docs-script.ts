// The one script of the documentation: a button that copies each piece of code, and the sample language that was opened
// last. Everything can be read without it. Served as the text of this function, so it may use nothing from outside itself.
import { toInline, toScriptText } from '../http/inline.ts'

function runDocsPage(): void {
  const { copy = '', copied = '' } = document.body.dataset
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div')
    const button = document.createElement('button')
    frame.className = 'code'
    button.type = 'button'
    button.textContent = copy
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '')
      button.textContent = copied
      setTimeout(() => (button.textContent = copy), 2000)
    })
    block.replaceWith(frame)
    frame.append(button, block)
  }
  const samples = [...document.querySelectorAll<HTMLDetailsElement>('details.sample')]
  const last = localStorage.getItem('docs-language')
  if (samples.some((one) => one.dataset['lang'] === last))
    for (const one of samples) one.open = one.dataset['lang'] === last
  for (const one of samples)
    one.addEventListener('toggle', () => {
      if (one.open) localStorage.setItem('docs-language', one.dataset['lang'] ?? '')
    })
}

export const docsScript = toInline('script', toScriptText(runDocsPage))

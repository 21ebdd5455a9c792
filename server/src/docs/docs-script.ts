// The one script of the documentation: a button that copies each piece of code, and the sample language that was opened
// last. Everything can be read without it. Served as the text of this function, so it may use nothing from outside itself.
import { toInline, toScriptText } from '../http/inline.ts'

function runDocsPage(): void {
  const { copy = '', copied = '' } = document.body.dataset
  // Without https browsers have no clipboard for pages.
  const blocks = 'clipboard' in navigator ? document.querySelectorAll('pre') : []
  for (const block of blocks) {
    const bar = document.createElement('div')
    const name = document.createElement('span')
    const button = document.createElement('button')
    bar.className = 'bar'
    name.textContent = block.querySelector('code')?.className ?? ''
    button.type = 'button'
    button.textContent = copy
    const tell = () => {
      button.textContent = copied
      setTimeout(() => (button.textContent = copy), 2000)
    }
    button.addEventListener('click', () => void navigator.clipboard.writeText(block.textContent).then(tell))
    bar.append(name, button)
    block.before(bar)
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

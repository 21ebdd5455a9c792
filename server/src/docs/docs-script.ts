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
  const toGroup = ({ id }: HTMLElement) => id.replace(/-.*/, '')
  const known = new Set(samples.filter((one) => one.dataset['lang'] === last).map(toGroup))
  // A group that does not come in that language stays as it is.
  for (const one of samples) if (known.has(toGroup(one))) one.open = one.dataset['lang'] === last
  // A link to one language opens it.
  const openMeant = () => {
    const meant = document.getElementById(location.hash.slice(1))
    if (meant instanceof HTMLDetailsElement) meant.open = true
  }
  openMeant()
  addEventListener('hashchange', openMeant)
  for (const one of samples)
    one.addEventListener('toggle', () => {
      if (one.open) localStorage.setItem('docs-language', one.dataset['lang'] ?? '')
    })
}

export const docsScript = toInline('script', toScriptText(runDocsPage))

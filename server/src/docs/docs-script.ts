// The pages work without this script. The function is served as text, so it may not use anything outside itself.
import { toInline, toScriptText } from '../http/inline.ts'

// Why this is long: the whole script is one function.
function runDocsPage(): void {
  const { copy = '', copied = '', all = '' } = document.body.dataset
  // Without https, browsers usually offer no clipboard, so the bars with the copy buttons are left out.
  const blocks = 'clipboard' in navigator ? document.querySelectorAll('pre') : []
  for (const block of blocks) {
    const bar = document.createElement('div')
    const name = document.createElement('span')
    const button = document.createElement('button')
    bar.className = 'bar'
    name.textContent = block.dataset['label'] ?? block.querySelector('code')?.className ?? ''
    button.type = 'button'
    button.textContent = copy
    const showCopied = () => {
      button.textContent = copied
      setTimeout(() => (button.textContent = copy), 2000)
    }
    button.addEventListener(
      'click',
      () => void navigator.clipboard.writeText(block.textContent).then(showCopied),
    )
    bar.append(name)
    if (block.className !== 'output') bar.append(button)
    block.before(bar)
  }
  for (const block of document.querySelectorAll('.sample pre')) {
    if (block.textContent.split('\n').length < 40) continue
    const more = document.createElement('button')
    more.type = 'button'
    more.className = 'more'
    more.textContent = all
    block.classList.add('folded')
    more.addEventListener('click', () => {
      block.classList.remove('folded')
      more.remove()
    })
    block.after(more)
  }
  // On a wide screen the list of pages scrolls separately from the text, so the list is scrolled to the current page.
  const current = document.querySelector<HTMLElement>('.pages a[aria-current]')
  const pages = current?.closest('div')
  if (current && pages) pages.scrollTop = current.offsetTop - pages.clientHeight / 2
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.toc a,.routes a')].map((a) => [a.hash.slice(1), a]),
  )
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  const mark = () => {
    const top = headings.findLast((one) => one.getBoundingClientRect().top < 120)?.id
    for (const [id, a] of links)
      if (id === top) a.setAttribute('aria-current', 'true')
      else a.removeAttribute('aria-current')
  }
  mark()
  addEventListener('scroll', mark, { passive: true })

  const samples = [...document.querySelectorAll<HTMLDetailsElement>('details.sample')]
  // The portal uses the first key too. An earlier release stored the choice under the second key.
  const readLast = () => {
    try {
      return localStorage.getItem('pazar-code-language') ?? localStorage.getItem('docs-language')
    } catch {
      return null // The browser blocks its storage.
    }
  }
  const store = (lang: string) => {
    try {
      localStorage.setItem('pazar-code-language', lang)
    } catch {
      // The choice applies to this page only.
    }
  }
  const toGroup = ({ id }: HTMLElement) => id.replace(/-.*/, '')
  const choose = (lang: string | null) => {
    const known = new Set(samples.filter((one) => one.dataset['lang'] === lang).map(toGroup))
    // A group without that language is not changed.
    for (const one of samples) if (known.has(toGroup(one))) one.open = one.dataset['lang'] === lang
  }
  choose(readLast())
  const openTarget = () => {
    const target = document.getElementById(location.hash.slice(1))
    if (target instanceof HTMLDetailsElement) target.open = true
  }
  openTarget()
  addEventListener('hashchange', openTarget)
  for (const one of samples) {
    const tab = one.querySelector('summary')
    tab?.addEventListener('click', (event) => {
      // The choice applies to the whole page. A second press on a tab keeps its sample open.
      event.preventDefault()
      const lang = one.dataset['lang'] ?? ''
      store(lang)
      const { top } = tab.getBoundingClientRect()
      choose(lang)
      // Samples above may have another height now. The page is scrolled so that the tab stays where it was pressed.
      scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
    })
  }
}

export const docsScript = toInline('script', toScriptText(runDocsPage))

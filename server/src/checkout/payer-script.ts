// The only script of payer pages. The pages also work without script. The text of `runPayerPage` is served, so the
// function may use nothing from outside.
import { toInline, toScriptText } from '../http/inline.ts'

function runPayerPage(): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector)
  const show = (selector: string, isShown: boolean) => {
    const element = find(selector)
    if (element) element.hidden = !isShown
  }
  let sent = false
  const isOffline = () => !sent && !navigator.onLine
  const showOffline = () => show('#offline', isOffline())
  addEventListener('online', showOffline)
  addEventListener('offline', showOffline)

  // A page restored from the history cache may be outdated.
  addEventListener('pageshow', (event) => event.persisted && location.reload())

  addEventListener('submit', (event) => {
    showOffline()
    if (sent || isOffline()) return event.preventDefault()
    const button = event.submitter
    const label = button?.textContent ?? ''
    const setSent = (isSent: boolean) => {
      sent = isSent
      show('#submitting', isSent)
      // A payer who leaves now would not see how the payment ends.
      for (const one of document.querySelectorAll<HTMLElement>('.stack a,nav,.idle')) one.hidden = isSent
      if (!button) return
      button.textContent = (isSent && button.dataset['busy']) || label
      button.setAttribute('aria-disabled', String(isSent))
    }
    setSent(true)
    // A payer who stopped the page from loading can press again.
    setTimeout(setSent, 30_000, false)
  })

  const print = find('#print')
  if (print) {
    print.hidden = false
    print.addEventListener('click', () => window.print())
  }

  const watched = find('[data-state]')
  if (watched) {
    const { url = '', state = '', next = '' } = watched.dataset
    const waitsSec = [2, 3, 5, 8]
    let passedSec = 0
    const wait = () => {
      const waitSec = waitsSec.length > 1 ? waitsSec.shift()! : 8
      passedSec += waitSec
      setTimeout(() => void poll(), waitSec * 1000)
    }
    const poll = async () => {
      const response = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null)
      const found = response?.ok && ((await response.json()) as { status: string })
      if (found && found.status !== state) return location.replace(next)
      if (passedSec < 120) return wait()
      show('#waiting', false)
      show('#slow', true)
    }
    wait()
  }
}

export const payerScript = toInline('script', toScriptText(runPayerPage))

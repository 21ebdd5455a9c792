// The only script of payer pages. The pages also work without script. The browser gets the text of `runPayerPage`, so the
// function may use nothing that is defined outside it.
import { toInline, toScriptText } from '../http/inline.ts'

function runPayerPage(): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector)
  const show = (selector: string, isShown: boolean) => {
    const element = find(selector)
    if (element) element.hidden = !isShown
  }
  let sent = false
  // A page without #offline has no message of ours. There the form is sent, and the browser shows its own message.
  const isOffline = () => !sent && !navigator.onLine && find('#offline') !== null
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
    const wait = () => {
      const waitSec = waitsSec.length > 1 ? waitsSec.shift()! : 8
      setTimeout(() => void poll(), waitSec * 1000)
    }
    const requestState = async () => {
      // A connection may be lost without an error.
      const timeout = new AbortController()
      setTimeout(() => timeout.abort(), 20_000)
      const response = await fetch(url, {
        headers: { accept: 'application/json' },
        signal: timeout.signal,
      })
      return response.ok ? ((await response.json()) as { status: string }) : null
    }
    const poll = async () => {
      // A public Wi-Fi may respond with a page of its own, which is not JSON.
      const found = await requestState().catch(() => null)
      if (found && found.status !== state) return location.replace(next)
      if (performance.now() < 120_000) return wait()
      show('#waiting', false)
      show('#slow', true)
    }
    wait()
  }
}

export const payerScript = toInline('script', toScriptText(runPayerPage))

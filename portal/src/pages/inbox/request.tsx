import { useState } from 'react'
import { ChevronRight, CircleCheck } from 'lucide-react'
import type { InboxRequest } from '../../api/inbox.ts'
import { words } from '../../ui/language.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CodeSample } from '../../parts/code-sample.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { Time } from '../../parts/time.tsx'
import { readFacts } from './read-facts.ts'

export function Request({ item, isOpen: startsOpen }: { item: InboxRequest; isOpen: boolean }) {
  const { inbox, deliveries } = words()
  // A request that somebody is reading does not close when a new request arrives.
  const [isOpen] = useState(startsOpen)
  const { event, mode, amount, currency, customId } = readFacts(item.body)
  const name = event === null ? inbox.unknownEvent : (deliveries.events[event] ?? event)
  const texts = [amount && currency && formatAmount(amount, { currency }), customId].filter(Boolean)
  return (
    <li className="min-w-0 rounded-card border border-line bg-raised">
      <details open={isOpen} className="group">
        <summary className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 p-4 sm:px-6">
          <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-90" />
          <span className="font-strong">{name}</span>
          <span className="order-last min-w-0 basis-full truncate text-muted sm:order-none sm:flex-1 sm:basis-0">
            {texts.join(' · ')}
          </span>
          {mode === 'live' && <Badge tone="warn" text={words().frame.live} />}
          <Badge
            tone={item.verified ? 'ok' : 'error'}
            text={item.verified ? inbox.verified : inbox.notVerified}
          />
          <span className="text-sm text-muted">
            <Time at={item.receivedAt} />
          </span>
        </summary>
        <Details item={item} />
      </details>
    </li>
  )
}

function toHeaderText({ headers }: InboxRequest): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function Details({ item }: { item: InboxRequest }) {
  const { inbox } = words()
  const headerText = toHeaderText(item)
  return (
    <div className="grid gap-5 border-t border-line p-4 sm:p-6">
      <Checks verified={item.verified} />
      <section className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-base font-strong">{inbox.headers}</h2>
          <CopyButton text={`${headerText}\n\n${item.body}`} label={inbox.copy} />
        </div>
        <CodeBlock label={inbox.headers} text={headerText} />
      </section>
      <section className="grid gap-2">
        <h2 className="text-base font-strong">{inbox.body}</h2>
        <CodeBlock label={inbox.body} text={item.body} language="json" />
        <p className="text-sm text-muted">{inbox.bodyHint}</p>
      </section>
      <VerifySample />
    </div>
  )
}

function Checks({ verified }: { verified: boolean }) {
  const { inbox } = words()
  return (
    <section className="grid gap-2">
      <h2 className="text-base font-strong">{inbox.how}</h2>
      {!verified && <p className="text-sm">{inbox.notVerifiedText}</p>}
      <ul className="grid gap-2 text-sm">
        {Object.values(inbox.checks).map((check) => (
          <li key={check} className="flex gap-2">
            {verified && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />}
            <span className="min-w-0 wrap-anywhere">{check}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The code is loaded when the section is opened. */
function VerifySample() {
  const { inbox } = words()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 content-center font-medium">{inbox.code}</summary>
      {isOpen && <CodeSample name="verify" label={inbox.code} />}
    </details>
  )
}

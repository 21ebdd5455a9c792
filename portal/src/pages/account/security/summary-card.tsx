import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { words } from '../../../ui/language.ts'
import { toSafety } from './safety.ts'
import type { Safety, SafetyFacts } from './safety.ts'

const TONES = { weak: 'error', fair: 'warn', strong: 'ok' } as const

export function SummaryCard({ facts }: { facts: SafetyFacts }) {
  const { summary: text } = words().security
  const { level, checks } = toSafety(facts)
  const advice = { weak: text.weakText, fair: text.fairText, strong: text.strongText }
  return (
    <Card title={text.title} actions={<Badge tone={TONES[level]} text={text.levels[level]} />}>
      <p>{advice[level]}</p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {checks.map((check) => (
          <CheckLine key={check.name} {...check} />
        ))}
      </ul>
    </Card>
  )
}

function CheckLine({ name, isDone }: Safety['checks'][number]) {
  const { summary: text, codes } = words().security
  const Icon = isDone ? CircleCheck : CircleAlert
  const link = 'text-accent underline underline-offset-4'
  return (
    <li className="flex items-start gap-2 text-sm">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', isDone ? 'text-ok' : 'text-warn')} />
      <span>
        {isDone ? text[name].yes : <>{text[name].no}. </>}
        {!isDone && name === 'email' && (
          <Link to="/account" className={link}>
            {text.fix.email}
          </Link>
        )}
        {!isDone && name !== 'email' && (
          <a href={name === 'codes' ? '#codes' : '#factors'} className={link}>
            {name === 'codes' ? codes.renew : text.fix.add}
          </a>
        )}
      </span>
    </li>
  )
}

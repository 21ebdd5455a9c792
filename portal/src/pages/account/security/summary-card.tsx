import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { securityWords } from '../../../ui/language.ts'
import { toSafety } from './safety.ts'
import type { Safety, SafetyFacts } from './safety.ts'

const TONES = { weak: 'error', fair: 'warn', strong: 'ok' } as const

export function SummaryCard({ facts }: { facts: SafetyFacts }) {
  const { summary: text } = securityWords()
  const { level, checks } = toSafety(facts)
  const openCount = checks.filter(({ isDone }) => !isDone).length
  const advice = { weak: text.weakText, fair: text.fairText(openCount), strong: text.strongText }
  return (
    <Card title={text.title} actions={<Badge tone={TONES[level]} text={text.levels[level]} />}>
      <p>{advice[level]}</p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {checks.map((check) => (
          <CheckLine key={check.name} {...check} codesLeft={facts.recoveryCodesLeft} />
        ))}
      </ul>
    </Card>
  )
}

function CheckLine({ name, isDone, codesLeft }: Safety['checks'][number] & { codesLeft: number }) {
  const { summary: text, codes } = securityWords()
  const Icon = isDone ? CircleCheck : CircleAlert
  const label = name === 'codes' ? text.codes(codesLeft) : text[name][isDone ? 'yes' : 'no']
  const link = 'text-accent underline underline-offset-4'
  return (
    <li className="flex items-start gap-2 text-sm">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', isDone ? 'text-ok' : 'text-warn')} />
      <span>
        {isDone ? label : <>{label}. </>}
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

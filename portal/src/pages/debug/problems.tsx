import { useEffect, useRef } from 'react'
import type { VerifySignatureAnswer } from '@pazar/contract'
import { words } from '../../app/language.ts'
import { Notice } from '../../ui/notice.tsx'

/** A request that is looked at later is always too old; when nothing else is wrong with it, it was right. */
function isOnlyOld({ problems }: VerifySignatureAnswer): boolean {
  return problems.every(({ code }) => code === 'timestamp_stale')
}

/** Stands below a long form, and on a phone outside the window: it comes into view by itself. */
export function Problems({ answer }: { answer: VerifySignatureAnswer }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces, because newer browsers answer with a promise, which React would take for a cleaning up.
    ref.current?.scrollIntoView({ block: 'center' })
  }, [answer])
  return (
    <div ref={ref}>
      <Verdict answer={answer} />
    </div>
  )
}

function Verdict({ answer }: { answer: VerifySignatureAnswer }) {
  const { debug } = words()
  if (answer.matches) {
    return (
      <Notice tone="ok" title={debug.matches}>
        {debug.matchesText}
      </Notice>
    )
  }
  const onlyOld = isOnlyOld(answer)
  return (
    <Notice tone={onlyOld ? 'warn' : 'error'} title={onlyOld ? debug.onlyOld : debug.wrong}>
      <ul className="grid gap-3 pt-2">
        {answer.problems.map(({ code, text, fix }, index) => (
          <li key={text} data-problem={code}>
            <p className="font-medium">{text}</p>
            {/* Several can have one remedy, which then follows the last of them. */}
            {answer.problems[index + 1]?.fix !== fix && <p>{fix}</p>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

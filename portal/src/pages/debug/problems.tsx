import { useEffect, useRef } from 'react'
import type { VerifySignatureAnswer } from '@pazar/contract'
import { setupWords } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

/** A pasted request is usually too old. If that is the only problem, the request was correct. */
function isOnlyOld({ problems }: VerifySignatureAnswer): boolean {
  return problems.every(({ code }) => code === 'timestamp_stale')
}

/** Scrolls to the result, because it is above a long form and may be outside the window. */
export function Problems({ result }: { result: VerifySignatureAnswer }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In newer browsers, scrollIntoView returns a promise. Without the braces, the effect would return that promise, and
    // React would use it as a cleanup function.
    ref.current?.scrollIntoView({ block: 'center' })
  }, [result])
  return (
    <div ref={ref}>
      <Verdict result={result} />
    </div>
  )
}

function Verdict({ result }: { result: VerifySignatureAnswer }) {
  const { debug } = setupWords()
  if (result.matches) {
    return (
      <Notice tone="ok" title={debug.matches}>
        {result.eventText && <p>{result.eventText}</p>}
        <p>{debug.matchesText}</p>
      </Notice>
    )
  }
  const onlyOld = isOnlyOld(result)
  return (
    <Notice tone={onlyOld ? 'warn' : 'error'} title={onlyOld ? debug.onlyOld : debug.wrong}>
      {result.eventText && <p>{result.eventText}</p>}
      <ol className="grid list-decimal gap-3 pt-2 pl-5 marker:font-strong">
        {result.problems.map(({ code, text, fix }, index) => (
          <li key={text} data-problem={code}>
            <p className="font-strong">{text}</p>
            {code === 'wrong_secret' && result.problems[index - 1]?.code === 'hash_missing' && (
              <p>{debug.fromHash}</p>
            )}
            {/* Neighbouring problems with the same fix show the fix once, after the last of them. */}
            {result.problems[index + 1]?.fix !== fix && <p>{fix}</p>}
          </li>
        ))}
      </ol>
    </Notice>
  )
}

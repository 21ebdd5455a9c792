import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasCode } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { entryWords } from '../../ui/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../parts/failed.tsx'
import { useMailedToken } from './mailed-token.ts'

type State = 'working' | 'done' | { error: unknown }

export function Page() {
  const { confirmEmail, reset } = entryWords().entry
  const token = useMailedToken()
  const [state, setState] = useState<State>('working')
  const isTokenExpired = typeof state === 'object' && hasCode(state.error, 'token_expired')
  useEffect(() => {
    if (token === null || state !== 'working') return
    call('/portal/api/email/confirm', { token }, { asksForSignIn: false }).then(
      () => setState('done'),
      (error: unknown) => setState({ error }),
    )
  }, [token, state])
  return (
    <EntryFrame title={confirmEmail.title}>
      {token === null && (
        <Notice tone="warn" title={reset.noTokenTitle}>
          {reset.noToken}
        </Notice>
      )}
      {token !== null && state === 'working' && <p role="status">{confirmEmail.working}</p>}
      {state === 'done' && <Notice tone="ok">{confirmEmail.doneTitle}</Notice>}
      {isTokenExpired && (
        <Notice tone="warn" title={confirmEmail.overTitle}>
          {confirmEmail.overText}
        </Notice>
      )}
      {/* A retry must not reload the page, because the token is no longer in the address. */}
      {typeof state === 'object' && !isTokenExpired && (
        <Failed error={state.error} onRetry={() => setState('working')} />
      )}
      {isTokenExpired || token === null ? (
        <Link to="/account" reloadDocument className={buttonClass('main')}>
          {confirmEmail.toAccount}
        </Link>
      ) : (
        <Link to="/projects" reloadDocument className={buttonClass('main')}>
          {confirmEmail.goOn}
        </Link>
      )}
    </EntryFrame>
  )
}

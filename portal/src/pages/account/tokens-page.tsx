import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiTokenView } from '@pazar/contract'
import { useTokens } from '../../api/tokens.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { RevokeTokenDialog } from './revoke-token-dialog.tsx'
import { TokenTable } from './token-table.tsx'

export function Page() {
  const { tokens: text, tabs } = words().account
  const { data, error, refetch } = useTokens()
  const hash: string = useRouterState({ select: (state) => state.location.hash })
  const navigate = useNavigate()
  // The quickstart page links here with this hash.
  const isForWriting = hash === 'new-write'
  const [isCreating, setCreating] = useState(isForWriting)
  const stopCreating = () => {
    setCreating(false)
    // Removes the hash from the address. With the hash, a reload would open the form again.
    if (isForWriting) void navigate({ to: '/account/tokens', replace: true })
  }
  const [revoking, setRevoking] = useState<ApiTokenView | null>(null)
  const isEmpty = data?.tokens.length === 0
  const add = (
    <Button kind="main" onClick={() => setCreating(true)}>
      {text.add}
    </Button>
  )
  return (
    <>
      <PageHead title={tabs.tokens} text={text.text} />
      <AccountTabs />
      {data && !isEmpty && <div>{add}</div>}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {isEmpty && (
        <Empty title={text.emptyTitle} text={text.emptyText}>
          {add}
        </Empty>
      )}
      {data && !isEmpty && <TokenTable tokens={data.tokens} onRevoke={setRevoking} />}
      {isCreating && <NewTokenDialog scope={isForWriting ? 'write' : 'read'} onClose={stopCreating} />}
      {revoking && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

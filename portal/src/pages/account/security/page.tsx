// The security page of an account: second factors in one place.
import { useState } from 'react'
import { useTotp } from '../../../api/factors.ts'
import { words } from '../../../ui/language.ts'
import { Failed } from '../../../parts/failed.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { AppCard } from './app-card.tsx'
import { CodesCard } from './codes-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { FreshCodes } from './fresh-codes.tsx'

export function Page() {
  const { title } = words().security
  const { data, error, refetch } = useTotp()
  const [codes, setCodes] = useState<string[] | null>(null)
  return (
    <>
      <PageHead title={title} />
      <AccountTabs />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <PasskeysCard onCodes={setCodes} />
          <AppCard enabledAt={data.enabledAt} onCodes={setCodes} />
          <CodesCard left={data.hasSecondFactor ? data.recoveryCodesLeft : null} onCodes={setCodes} />
        </div>
      )}
      {codes && <FreshCodes codes={codes} onClose={() => setCodes(null)} />}
    </>
  )
}

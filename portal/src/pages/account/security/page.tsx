import { useEffect, useState } from 'react'
import { useTotp } from '../../../api/factors.ts'
import { usePasskeys } from '../../../api/passkeys.ts'
import { reloadSession, useAccount } from '../../../api/session.ts'
import { securityWords } from '../../../ui/language.ts'
import { Failed } from '../../../parts/failed.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { AccessCard } from './access-card.tsx'
import { AppCard } from './app-card.tsx'
import { CodesCard } from './codes-card.tsx'
import { FreshCodes } from './fresh-codes.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { RemovalNotice } from './removal-notice.tsx'
import { SummaryCard } from './summary-card.tsx'

export function Page() {
  const { title, purpose } = securityWords()
  const { emailConfirmed } = useAccount()
  const { data, error, refetch } = useTotp()
  const passkeys = usePasskeys()
  const [codes, setCodes] = useState<string[] | null>(null)
  // The email may have been confirmed on another device.
  useEffect(() => void reloadSession(), [])
  return (
    <>
      <PageHead title={title} text={purpose} />
      <AccountTabs />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.hasSecondFactor && data.removedAfter && <RemovalNotice at={data.removedAfter} />}
      {data && passkeys.data && (
        <SummaryCard
          facts={{
            passkeys: passkeys.data.passkeys.length,
            hasApp: data.enabledAt !== null,
            recoveryCodesLeft: data.recoveryCodesLeft,
            emailConfirmed,
          }}
        />
      )}
      {data && (
        <>
          <PasskeysCard onCodes={setCodes} />
          <div className="grid gap-6 lg:grid-cols-2">
            <AppCard enabledAt={data.enabledAt} onCodes={setCodes} />
            <CodesCard codesLeft={data.hasSecondFactor ? data.recoveryCodesLeft : null} onCodes={setCodes} />
          </div>
        </>
      )}
      <AccessCard />
      {codes && <FreshCodes codes={codes} onClose={() => setCodes(null)} />}
    </>
  )
}

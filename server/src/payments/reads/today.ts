import type { ProjectsTodayView } from '@pazar/contract'
import { toDay, toDayStartMs } from '@pazar/words'
import type { Account } from '../../accounts/account.ts'
import { toDate } from '../../lib/clock.ts'
import type { PaymentDeps } from '../deps.ts'
import { toSuccessRate } from './stats.ts'
import { readProjectDays } from './today-store.ts'

export async function listToday(
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'installation'>,
  { id, timeZone }: Pick<Account, 'id' | 'timeZone'>,
): Promise<ProjectsTodayView> {
  const dayStart = toDate(toDayStartMs(toDay(deps.clock.nowMs(), timeZone), timeZone))
  const days = await readProjectDays(deps.db, id, dayStart, deps.installation.currencyChangedAt)
  return {
    projects: days.map(({ volume, lastCallback, ...day }) => ({
      ...day,
      volume: volume.toString(),
      successRate: toSuccessRate(day),
      lastCallback: lastCallback && { ...lastCallback, at: lastCallback.at.toISOString() },
    })),
  }
}

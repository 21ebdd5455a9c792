// A listener (the CLI, which forwards test callbacks to the merchant's program) reports how the program responded.
import type { EventReportBody } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { recordReport } from '../callbacks/report-store.ts'
import { invalidField } from '../lib/service-error.ts'
import { requireProject } from '../projects/access.ts'
import { hasStreams } from './events-store.ts'

export async function reportResponse(
  deps: CallbackDeps,
  accountId: AccountId,
  projectId: string,
  report: EventReportBody,
): Promise<void> {
  const { id } = await requireProject(deps.db, accountId, projectId, 'operate')
  // An account that does not listen has probably not received the callback.
  const isListening = await hasStreams(deps.db, id, accountId)
  const outcome = isListening ? await recordReport(deps.db, id, report) : 'not_forwarded'
  if (outcome !== 'recorded') throw invalidField('callbackId', outcome)
}

// The signature debugger: a person pastes a refused callback and sees which part does not match. The request is neither
// stored nor logged.
import type { VerifySignatureAnswer, VerifySignatureBody } from '@pazar/contract'
import { catalogue, formatDuration } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../../accounts/account.ts'
import { toUnixSeconds } from '../../lib/clock.ts'
import type { ProjectDeps } from '../../projects/deps.ts'
import { requireProject } from '../../projects/access.ts'
import { readSecret } from '../../secrets/secrets.ts'
import { findProblems } from './find-problems.ts'
import type { ProblemFacts } from './find-problems.ts'
import { findObject } from './read-hash.ts'
import { findEvent } from './wrong-fields.ts'

export async function verifySignature(
  deps: ProjectDeps,
  accountId: AccountId,
  requested: { projectId: string; request: VerifySignatureBody; locale: Locale },
): Promise<VerifySignatureAnswer> {
  const { id: projectId } = await requireProject(deps.db, accountId, requested.projectId, 'operate')
  const [live, test] = await Promise.all([
    readSecret(deps, deps.db, projectId, 'live'),
    readSecret(deps, deps.db, projectId, 'test'),
  ])
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  const problems = await findProblems(requested.request, { projectId, secrets: { live, test }, nowSec })
  const event = findEvent(findObject(requested.request.body))
  return {
    event,
    eventText: event && catalogue(requested.locale).exam.events[event],
    matches: problems.length === 0,
    problems: problems.map((problem) => ({ code: problem.code, ...toWords(requested.locale, problem) })),
  }
}

function toWords(locale: Locale, problem: ProblemFacts): { text: string; fix: string } {
  const { problems } = catalogue(locale).exam
  const words = problems[problem.code]
  if (typeof words !== 'function') return words
  return words({
    header: problem.header ?? '',
    age: formatDuration(locale, (problem.ageSec ?? 0) * 1000),
    signedWith: problem.signedWith ?? 'live',
    fields: (problem.fields ?? []).join(', '),
    event: problem.event ?? '',
  })
}

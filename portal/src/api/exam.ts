import type { ExamReport, Mode, VerifySignatureAnswer } from '@pazar/contract'
import { call } from './call.ts'

export async function runExam(projectId: string, isLiveUrlConfirmed: boolean): Promise<ExamReport> {
  const body = isLiveUrlConfirmed ? { confirm: true } : {}
  return call<ExamReport>(`/portal/api/projects/${projectId}/exam`, body)
}

export interface PastedRequest {
  headers: Record<string, string>
  body: string
  mode: Mode
}

export async function verifySignature(
  projectId: string,
  request: PastedRequest,
): Promise<VerifySignatureAnswer> {
  return call<VerifySignatureAnswer>(`/portal/api/projects/${projectId}/verify-signature`, request)
}

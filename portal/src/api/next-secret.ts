// The secret that is prepared for the next rotation. The query cache stores only its times, never its value.
import { useQuery } from '@tanstack/react-query'
import type { NextSecretAnswer, NextSecretState } from '@pazar/contract'
import { call } from './call.ts'

const toPath = (projectId: string) => `/portal/api/projects/${projectId}/next-secret`

export function useNextSecret(projectId: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['next-secret', projectId],
    queryFn: ({ signal }) => call<NextSecretState>(toPath(projectId), undefined, { signal }),
  })
}

export async function prepareNextSecret(projectId: string): Promise<string> {
  return (await call<NextSecretAnswer>(toPath(projectId), {})).secret
}

export async function discardNextSecret(projectId: string): Promise<void> {
  await call(`${toPath(projectId)}/discard`, {})
}

export async function promoteNextSecret(projectId: string): Promise<string> {
  const body = { projectId, useNext: true }
  return (await call<{ secret: string }>('/sdk/project/rotateSecret', body)).secret
}

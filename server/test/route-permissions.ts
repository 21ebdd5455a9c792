// The permission, token scope and step-up that each route of a project needs. identity-matrix.test.ts checks this list.
import type { Permission, TokenScope } from '@pazar/contract'
import { GOOD_PROJECT } from './client.ts'

export interface ProjectRoute {
  permission: Permission
  /** The scope that an API token needs. `read`: every scope is enough. Absent: no token is accepted. */
  token?: TokenScope
  /** `session`: only a browser needs a step-up, because a token can only be created after a step-up. */
  stepUp?: 'always' | 'session'
  /** A valid body, because an invalid one is refused before the project is looked up. */
  body?: Record<string, unknown> | string
  /** The type of the body. Absent: JSON. */
  contentType?: string
  query?: string
}

export interface RequestedIds {
  projectId: string
  transactionId: string
  callbackId: string
  member: string
}

const PROJECT = '/portal/api/projects/:id'

// Why this is long: one list of routes.
export function toProjectRoutes({
  projectId,
  transactionId,
  member,
}: RequestedIds): Record<string, ProjectRoute> {
  const read = { permission: 'read', token: 'read' } as const
  const secret = { permission: 'live_secret', token: 'read', stepUp: 'always', body: { projectId } } as const
  return {
    'POST /sdk/project/update': {
      permission: 'configure',
      token: 'write',
      body: { projectId, name: GOOD_PROJECT.name },
    },
    'POST /sdk/project/get': { ...read, body: { projectId } },
    'POST /sdk/project/seeSecret': secret,
    'POST /sdk/project/rotateSecret': secret,
    'POST /sdk/project/qr': {
      permission: 'qr',
      token: 'read',
      body: { project: projectId, amount: 1500, mode: 'test' },
    },
    'POST /sdk/transactions/list': { ...read, body: { projectId } },
    'POST /transactions/list': { ...read, body: { projectId } },
    'POST /sdk/transaction/get': { ...read, body: { projectId, transactionId } },
    'POST /sdk/transaction/refund': {
      permission: 'money',
      token: 'refund',
      stepUp: 'session',
      body: { projectId, transactionId, amount: '1', idempotencyKey: 'matrix' },
    },
    'POST /sdk/events/list': { ...read, body: { projectId } },
    'POST /sdk/ai/prompt': { ...read, body: { prompt: 'How is a callback signed?', projectId } },
    [`GET ${PROJECT}/next-secret`]: { permission: 'live_secret' },
    [`POST ${PROJECT}/next-secret`]: { permission: 'live_secret', stepUp: 'always', body: {} },
    [`POST ${PROJECT}/next-secret/discard`]: { permission: 'live_secret', body: {} },
    [`GET ${PROJECT}/test-secret`]: { permission: 'configure' },
    [`POST ${PROJECT}/test-secret/rotate`]: { permission: 'configure', body: {} },
    [`POST ${PROJECT}/brand`]: { permission: 'configure', body: { displayName: GOOD_PROJECT.name } },
    // This body is not a picture, so nothing is stored.
    [`POST ${PROJECT}/brand/logo`]: { permission: 'configure', body: 'no picture', contentType: 'image/png' },
    [`POST ${PROJECT}/brand/logo/remove`]: { permission: 'configure', body: {} },
    [`POST ${PROJECT}/archive`]: { permission: 'ownership', stepUp: 'always', body: {} },
    [`POST ${PROJECT}/restore`]: { permission: 'ownership', stepUp: 'always', body: {} },
    // The project has a live payment, so nothing is deleted.
    [`POST ${PROJECT}/delete`]: { permission: 'ownership', stepUp: 'always', body: {} },
    [`GET ${PROJECT}/members`]: { permission: 'read' },
    [`POST ${PROJECT}/members/invite`]: {
      permission: 'members',
      stepUp: 'always',
      body: { email: 'guest@example.me', role: 'support' },
    },
    // No member changes: the member already has this role, and the removed address belongs to no member.
    [`POST ${PROJECT}/members/role`]: {
      permission: 'members',
      stepUp: 'always',
      body: { email: member, role: 'support' },
    },
    [`POST ${PROJECT}/members/remove`]: {
      permission: 'members',
      stepUp: 'always',
      body: { email: 'guest@example.me' },
    },
    [LEAVE_ROUTE]: { permission: 'read', body: {} },
    [`POST ${PROJECT}/members/mails`]: { permission: 'read', body: { mails: ['failures'] } },
    [`POST ${PROJECT}/transfer`]: { permission: 'ownership', stepUp: 'always', body: { email: member } },
    // The project is offered to a member who sends none of these requests, so nobody accepts it.
    [`POST ${PROJECT}/transfer/accept`]: { permission: 'read', stepUp: 'always', body: {} },
    [`POST ${PROJECT}/transfer/cancel`]: { permission: 'ownership', body: {} },
    [`GET ${PROJECT}/history`]: { permission: 'read' },
    [`POST ${PROJECT}/status-check`]: { ...read, body: { customId: 'order-1' } },
    [`GET ${PROJECT}/transactions.csv`]: { permission: 'money' },
    [`GET ${PROJECT}/transactions/:transactionId/timeline`]: { permission: 'read' },
    [`GET ${PROJECT}/stats`]: read,
    [`GET ${PROJECT}/open-disputes`]: { permission: 'read' },
    [`GET ${PROJECT}/first-steps`]: { permission: 'read' },
    [`GET ${PROJECT}/statement`]: { permission: 'money', token: 'read', query: '?month=2026-11' },
    [`GET ${PROJECT}/deliveries`]: read,
    [`GET ${PROJECT}/deliveries/:callbackId`]: read,
    [`GET ${PROJECT}/deliveries.csv`]: { permission: 'money' },
    [`GET ${PROJECT}/inbox`]: { permission: 'operate', token: 'read' },
    [STREAM_ROUTE]: { ...read, query: '?watch=true' },
    [`GET ${PROJECT}/failures`]: { permission: 'read' },
    [`POST ${PROJECT}/deliveries/:callbackId/resend`]: {
      permission: 'operate',
      token: 'write',
      body: { again: true },
    },
    [`POST ${PROJECT}/deliveries/resend-failed`]: {
      permission: 'operate',
      token: 'write',
      body: { since: '2026-11-01T00:00:00.000Z' },
    },
    [`POST ${PROJECT}/test-callbacks`]: {
      permission: 'operate',
      token: 'write',
      body: { status: 'success', amount: '1500', to: 'listeners' },
    },
    // Nobody listens, so nothing is recorded.
    [`POST ${PROJECT}/events/report`]: {
      permission: 'operate',
      token: 'write',
      body: { callbackId: `msg_${'0'.repeat(32)}`, statusCode: 200, durationMs: 12 },
    },
    [`POST ${PROJECT}/exam`]: { permission: 'operate', token: 'write', body: { deliver: 'caller' } },
    [`POST ${PROJECT}/verify-signature`]: {
      permission: 'operate',
      token: 'read',
      body: { headers: {}, body: '{}', mode: 'test' },
    },
    [`POST ${PROJECT}/pay-link`]: {
      permission: 'operate',
      token: 'read',
      body: { amount: '1500', mode: 'test' },
    },
  }
}

/** This route is called last, because a member who leaves loses their tokens of the project. */
export const LEAVE_ROUTE = `POST ${PROJECT}/members/leave`
/** The response of this route does not end. */
export const STREAM_ROUTE = `GET ${PROJECT}/events`

/** Routes of the account itself. An entry that ends with `*` stands for all URLs with this beginning. */
export const ACCOUNT_ROUTES = [
  '/portal/api/session',
  '/portal/api/sessions*',
  '/portal/api/sign-out',
  '/portal/api/step-up*',
  '/portal/api/account*',
  '/portal/api/password',
  '/portal/api/email',
  '/portal/api/audit',
  '/portal/api/devices*',
  '/portal/api/tokens*',
  '/portal/api/passkeys*',
  '/portal/api/totp*',
  '/portal/api/recovery-codes',
  '/portal/api/second-factor/keep',
  '/portal/api/invitations/accept',
  '/portal/api/projects/today',
  '/sdk/project/add',
  '/sdk/project/list',
]

export const PUBLIC_ROUTES = [
  '/',
  '/brand/:file',
  '/cnr*',
  '/en*',
  '/docs*',
  '/apple-touch-icon.png',
  '/favicon.ico',
  '/icon-512.png',
  '/icon.svg',
  '/preview.png',
  '/site.webmanifest',
  '/healthz',
  '/llms.txt',
  '/openapi.json',
  '/packages/*',
  '/pay*',
  '/portal-assets/*',
  '/portal/api/email/confirm',
  '/portal/api/invitations/view',
  '/portal/api/password/forgot',
  '/portal/api/password/reset',
  '/portal/api/sign-in*',
  '/portal/api/sign-up',
  '/readyz',
  '/sandbox/bank/:transactionId',
  '/sdk/transaction/checkStatus',
]

export function isListed(list: readonly string[], url: string): boolean {
  return list.some((one) => (one.endsWith('*') ? url.startsWith(one.slice(0, -1)) : url === one))
}

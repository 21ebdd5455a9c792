import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_COOKIE_MAX_AGE_SEC, PENDING_SIGN_IN_MAX_SEC, STEP_UP_MAX_SEC } from '@pazar/contract'
import type { HttpTools } from '../http/server.ts'
import { toAccountView } from './account.ts'
import { clientOf } from './client.ts'
import { parseDeviceToken } from './devices.ts'
import { SESSION_COOKIE_MAX_AGE_SEC } from './sessions.ts'
import type { Browser, SignedIn } from './sessions.ts'
import type { SecondFactorNeeded } from './sign-in.ts'
import type { SteppedUp } from './step-up.ts'

export function createEntryCookies({ cookies }: HttpTools) {
  return {
    browserOf: (req: FastifyRequest): Browser => ({
      client: clientOf(req),
      sessionToken: cookies.read(req, 'session'),
      deviceToken: parseDeviceToken(cookies.read(req, 'device')),
    }),
    pendingTokenOf: (req: FastifyRequest) => cookies.read(req, 'sign-in'),
    startSession(reply: FastifyReply, signedIn: SignedIn) {
      cookies.write(reply, 'session', signedIn.sessionToken, SESSION_COOKIE_MAX_AGE_SEC)
      cookies.write(reply, 'device', signedIn.deviceToken, DEVICE_COOKIE_MAX_AGE_SEC)
      cookies.clear(reply, 'step-up')
      if (cookies.read(reply.request, 'sign-in') !== null) cookies.clear(reply, 'sign-in')
      return { account: toAccountView(signedIn.account) }
    },
    askForFactor(reply: FastifyReply, { pendingToken, secondFactor }: SecondFactorNeeded) {
      cookies.write(reply, 'sign-in', pendingToken, PENDING_SIGN_IN_MAX_SEC)
      return { secondFactor }
    },
    stepUp(reply: FastifyReply, granted: SteppedUp) {
      cookies.write(reply, 'session', granted.sessionToken, SESSION_COOKIE_MAX_AGE_SEC)
      cookies.write(reply, 'step-up', granted.stepUpToken, STEP_UP_MAX_SEC)
      return { until: granted.until.toISOString() }
    },
    endSession(reply: FastifyReply) {
      cookies.clear(reply, 'session')
      cookies.clear(reply, 'step-up')
    },
  }
}

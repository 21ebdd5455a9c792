// Whether a pay link must be signed, and whether its signature is right.
import { verifyPayLinkSig } from '@pazar/sdk'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from './pay-link.ts'
import { toSignedFields } from './pay-link.ts'

/**
 * Returns whether the link is signed, and throws if it must not be accepted. If there is a signature, it must match. A
 * project may require one. A test link always needs one, because otherwise anybody could turn a live link into a free
 * "success".
 */
export function requireSignature(link: PayLink, isRequired: boolean, secret: string): boolean {
  if (link.sig === null) {
    // The developer sees by this code that the signature is missing, not wrong.
    if (isRequired || link.mode === 'test')
      throw new ServiceError('invalid_signature', { fields: [{ path: 'sig', code: 'signature_required' }] })
    return false
  }
  if (!verifyPayLinkSig(toSignedFields(link), link.sig, secret)) throw new ServiceError('invalid_signature')
  return true
}

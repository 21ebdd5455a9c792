import { verifyPayLinkSig } from '@pazar/sdk'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from './pay-link.ts'
import { toSignedFields } from './pay-link.ts'

/**
 * Returns whether the link is signed. A test link always needs a signature. Otherwise anybody could change a live link to
 * test mode and get a success without paying.
 */
export function requireSignature(link: PayLink, isRequired: boolean, secret: string): boolean {
  if (link.sig === null) {
    // `signature_required` tells the developer that the signature is missing, not wrong.
    if (isRequired || link.mode === 'test')
      throw new ServiceError('invalid_signature', { fields: [{ path: 'sig', code: 'signature_required' }] })
    return false
  }
  if (!verifyPayLinkSig(toSignedFields(link), link.sig, secret)) throw new ServiceError('invalid_signature')
  return true
}

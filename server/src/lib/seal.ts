// Encrypts values that a database dump must not reveal, with AES-256-GCM. Each purpose has its own key, derived from
// the master key. The context, for example the row's id, is authenticated too, so a value copied to another row cannot
// be opened.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomFillSync,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealBox {
  /** Layout: key id, nonce, tag, ciphertext. */
  seal(plain: Buffer, context: string): Buffer
  /** Null: the key is unknown, the context is different, or the value was changed. */
  open(sealed: Buffer, context: string): Buffer | null
  isCurrent(sealed: Buffer): boolean
  /** Whether the value was sealed with one of the known keys. `sealed` may be only its first four bytes, the key id. */
  isKnown(sealed: Buffer): boolean
}

interface PurposeKey {
  id: Buffer
  /** A key object is created once. With plain bytes, Node would create one for each seal, at four times the cost. */
  key: KeyObject
}

function toPurposeKey(master: Buffer, purpose: string): PurposeKey {
  return {
    id: createHash('sha256').update('pazar key id').update(master).digest().subarray(0, KEY_ID_BYTES),
    key: createSecretKey(Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `pazar/${purpose}`, 32))),
  }
}

/** Random bytes are generated in blocks, because four thousand cost as much as twelve. Each byte is used once. */
const nonces = { bytes: Buffer.alloc(NONCE_BYTES * 340), at: NONCE_BYTES * 340 }

function takeNonce(): Buffer {
  if (nonces.at === nonces.bytes.length) {
    randomFillSync(nonces.bytes)
    nonces.at = 0
  }
  const nonce = Buffer.from(nonces.bytes.subarray(nonces.at, nonces.at + NONCE_BYTES))
  nonces.at += NONCE_BYTES
  return nonce
}

export function createSealBox(
  masters: readonly [current: Buffer, ...previous: Buffer[]],
  purpose: string,
): SealBox {
  const keys = masters.map((master) => toPurposeKey(master, purpose))
  const current = keys[0]!
  return {
    seal(plain, context) {
      const nonce = takeNonce()
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const text = cipher.update(plain)
      cipher.final() // Returns no bytes in this mode, but computes the tag.
      return Buffer.concat([current.id, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      if (sealed.length < KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES) return null
      const id = sealed.subarray(0, KEY_ID_BYTES)
      const key = keys.find((one) => one.id.equals(id))
      if (!key) return null
      const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES)
      const tag = sealed.subarray(KEY_ID_BYTES + NONCE_BYTES, KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(tag)
      try {
        const text = decipher.update(sealed.subarray(KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES))
        decipher.final() // Throws unless the tag matches, so the text is returned only after this.
        return text
      } catch {
        // The tag did not match. The caller must not learn why.
        return null
      }
    },
    isCurrent: (sealed) => sealed.subarray(0, KEY_ID_BYTES).equals(current.id),
    isKnown: (sealed) => keys.some((one) => sealed.subarray(0, KEY_ID_BYTES).equals(one.id)),
  }
}

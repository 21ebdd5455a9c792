// A simulated authenticator. It creates passkeys and signs with them (WebAuthn).
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** Encodes a value as CBOR. It knows only the few types that a passkey needs. */
function toCbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
  }
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, one]) => [
    toCbor(key),
    toCbor(one as Parameters<typeof toCbor>[0]),
  ])
  return Buffer.concat([head(5, value.size), ...entries])
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Options {
  challenge: string
}

interface Overrides {
  origin?: string
  counter?: number
  flags?: number
}

export class Authenticator {
  readonly credentialId = randomBytes(32)
  readonly #privateKey: KeyObject
  readonly #cose: Buffer
  readonly #rpId: string
  readonly #origin: string
  /** Many real authenticators leave the signature counter at 0. */
  counter = 0

  constructor(baseUrl: string) {
    const { origin, hostname } = new URL(baseUrl)
    this.#origin = origin
    this.#rpId = hostname
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // A COSE key: an elliptic curve key (2) for ES256 (-7) on P-256 (1), with the coordinates x and y.
    this.#cose = toCbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  #clientData(type: string, { challenge }: Options, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(this.#rpId), Buffer.from([flags]), count])
  }

  create(options: Options, { origin, flags = USER_PRESENT | USER_VERIFIED }: Overrides = {}) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const authData = Buffer.concat([
      this.#authenticatorData(flags | HAS_CREDENTIAL, this.counter),
      Buffer.alloc(16),
      length,
      this.credentialId,
      this.#cose,
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, origin).toString('base64url'),
        attestationObject: toCbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  sign(
    options: Options,
    { origin, counter = this.counter, flags = USER_PRESENT | USER_VERIFIED }: Overrides = {},
  ) {
    const clientData = this.#clientData('webauthn.get', options, origin)
    const authenticatorData = this.#authenticatorData(flags, counter)
    const signed = createSign('sha256').update(authenticatorData).update(sha256(clientData))
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signed.sign(this.#privateKey).toString('base64url'),
      },
    }
  }
}

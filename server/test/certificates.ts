// Makes self-signed certificates at run time, so that no key is committed and no tool has to be installed.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export interface TestCertificate {
  key: string
  cert: string
}

export interface CertificateOptions {
  names: readonly string[]
  /** UTC as `YYMMDDhhmmssZ`. By default a certificate is valid from 2020 to 2049. */
  notBefore?: string
  notAfter?: string
}

const OID_ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const OID_COMMON_NAME = Buffer.from('0603550403', 'hex')
const OID_ALT_NAMES = Buffer.from('0603551d11', 'hex')

export function makeCertificate(options: CertificateOptions): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, OID_ECDSA_SHA256)
  const commonName = der(0x30, OID_COMMON_NAME, der(0x0c, Buffer.from('stub merchant')))
  const subject = der(0x30, der(0x31, commonName))
  const validity = der(
    0x30,
    der(0x17, Buffer.from(options.notBefore ?? '200101000000Z')),
    der(0x17, Buffer.from(options.notAfter ?? '491231235959Z')),
  )
  const altNames = der(0x30, OID_ALT_NAMES, der(0x04, der(0x30, ...options.names.map(toAltName))))
  const toSign = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))), // Version 3, which alternative names need.
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])), // The first byte, 1, keeps the serial number positive.
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, altNames)),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', toSign, privateKey))
  const base64 = der(0x30, toSign, algorithm, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)?.join('\n') ?? ''
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function toAltName(name: string): Buffer {
  if (isIPv4(name)) return der(0x87, Buffer.from(name.split('.').map(Number)))
  return der(0x82, Buffer.from(name, 'ascii'))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

// Turns a text into the modules (squares) of a QR code, and computes their place in an image of a given size.
import { QR_SIZE_MAX } from '@pazar/contract'
import { encodeQR } from 'qr'
import { invalidField } from '../lib/service-error.ts'

/** Rows of modules, including the quiet zone around the code. Dark modules are true. */
export type QrModules = readonly (readonly boolean[])[]

/** The capacity of the largest code (version 40) at level M. Our links are pure ASCII, so characters are bytes. */
export const QR_TEXT_MAX_BYTES = 2331
/** The width that the standard requires. */
export const QUIET_ZONE_MODULES = 4

/** Level M tolerates 15 % damage. A higher level would need smaller modules. */
export function toQrModules(text: string): QrModules {
  // Only data can make a link this long, because the longest customId alone still fits.
  if (text.length > QR_TEXT_MAX_BYTES) throw invalidField('data', 'qr_too_long')
  return encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE_MODULES })
}

export interface QrLayout {
  /** Pixels per module. A whole number, because blurred edges are hard to read. */
  scalePx: number
  /** The extra margin on each side: half of the pixels that the modules do not fill. */
  marginPx: number
}

export function toLayout(modules: QrModules, sizePx: number): QrLayout {
  const scalePx = Math.floor(sizePx / modules.length)
  if (scalePx < 1) throw invalidField('size', 'out_of_range', { min: modules.length, max: QR_SIZE_MAX })
  return { scalePx, marginPx: Math.floor((sizePx - modules.length * scalePx) / 2) }
}

import { AMOUNT_SCALE_MAX } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export interface MoneySettings {
  currency: string
  amountScale: number
}

export function readMoney(read: EnvReader): MoneySettings {
  const amountScale = read.integer('AMOUNT_SCALE', 2, 0, AMOUNT_SCALE_MAX)
  const currency = read.text('CURRENCY') ?? 'EUR'
  if (!/^[A-Z]{3}$/.test(currency)) read.addProblem('CURRENCY must be three capital letters such as EUR.')
  return { currency, amountScale }
}

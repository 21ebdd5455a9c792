import { suspendRefundTokens } from '../accounts/api-tokens-store.ts'
import { recordAudit } from '../accounts/audit.ts'
import { changeCurrency, lockInstallation, readInstallation } from '../db/installation-store.ts'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import { toText } from '../payments/money-guard.ts'
import { countOpen } from '../payments/money-guard-store.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

const USAGE = 'currency show | change <CURRENCY>:<AMOUNT_SCALE>'

function parseMoney(text: string | undefined): CurrencyAndScale | null {
  const [, currency, scale] = /^([A-Z]{3}):([0-4])$/.exec(text ?? '') ?? []
  return currency && scale ? { currency, scale: Number(scale) } : null
}

async function change(deps: Deps, money: CurrencyAndScale): Promise<string> {
  const changed = await deps.db.transaction(async (tx) => {
    const previous = await lockInstallation(tx)
    if (!(await changeCurrency(tx, money))) return null
    await recordAudit(deps, tx, {
      accountId: null,
      actor: 'operator',
      client: null,
      action: 'currency_changed',
      changes: { from: toText(previous), to: toText(money) },
    })
    return { from: previous, tokens: await suspendRefundTokens(tx) }
  })
  if (!changed) return `It is ${toText(money)} already.`
  const open = await countOpen(deps.db)
  const facts = { from: toText(changed.from), to: toText(money), open, tokens: changed.tokens }
  deps.log.warn(facts, 'the currency was changed')
  return [
    `Changed from ${facts.from} to ${facts.to}.`,
    `Payments keep the currency they were made in, including those that are open now (${open}).`,
    `API tokens that refund (${facts.tokens}) no longer work, because their daily limit was in ${facts.from}. Their owners create new ones after the restart.`,
    `Now start every replica with CURRENCY=${money.currency} AMOUNT_SCALE=${money.scale}; with other settings no replica starts.`,
  ].join('\n')
}

export const currency: Command = {
  name: 'currency',
  usage: USAGE,
  summary:
    'show the recorded currency of amounts, or record another one; do that before you change CURRENCY or AMOUNT_SCALE',
  async run(deps, args) {
    const [verb, what, ...more] = args
    if (verb === 'show' && what === undefined)
      return toText(await readInstallation(deps.db, deps.installation))
    const money = parseMoney(what)
    if (verb !== 'change' || !money || more.length > 0)
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    return change(deps, money)
  },
}

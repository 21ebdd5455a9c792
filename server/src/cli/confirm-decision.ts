// Operators decide how a payment or refund in doubt has ended. A dry run prints what is known about the payment or refund,
// and a code that stands for this state. An operator either passes this code to the command or confirms at a terminal.
import { RefusedError, UsageError } from './command.ts'
import { confirmPrompt } from './confirm-prompt.ts'

export interface DecisionOptions {
  isDry: boolean
  /** The code that the operator's dry run printed. The decision is refused if something relevant has changed since. */
  evidenceCode: string | null
  isSure: boolean
}

export type Confirm = (text: string) => Promise<boolean | null>

/** Returns the text of a dry run. Null: the operator has confirmed. `text`: what would happen. */
export async function confirmDecision(
  text: string,
  currentCode: string,
  { isDry, evidenceCode, isSure }: DecisionOptions,
  confirm: Confirm = confirmPrompt,
): Promise<string | null> {
  const howToConfirm = `To act without being asked: --yes --seen ${currentCode}`
  if (isDry) return `${text}\nDry run: nothing was changed. ${howToConfirm}`
  if (isSure && evidenceCode === null)
    throw new UsageError(
      `${text}\nNothing was changed: --yes also needs --seen with the code that a dry run prints. ${howToConfirm}`,
    )
  const mayAct = isSure || (await confirm(text))
  if (mayAct === null)
    throw new UsageError(
      `${text}\nNothing was changed: there is no terminal on which to confirm. ${howToConfirm}`,
    )
  if (!mayAct) throw new RefusedError('Nothing was changed.')
  return null
}

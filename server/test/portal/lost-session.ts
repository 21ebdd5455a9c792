import { PASSWORD } from './merchant.ts'
import type { PortalUser } from './portal-browser.ts'

export async function loseSession(user: PortalUser): Promise<void> {
  await user.context.clearCookies({ name: 'session' })
}

export async function signInAgain(user: PortalUser): Promise<void> {
  const { frame, entry } = user.words
  const dialog = user.page.getByRole('dialog', { name: frame.signInAgain.title })
  await user.type(entry.password, PASSWORD, dialog)
  await user.press(user.button(frame.signInAgain.submit, dialog))
  await dialog.waitFor({ state: 'detached' })
}

// The texts that only the account's security page loads.
export { security as words } from './en/portal/security.ts'

// The texts that only the account's security page loads.
export { security as words } from './cnr/portal/security.ts'

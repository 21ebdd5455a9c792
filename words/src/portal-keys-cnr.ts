// The texts that only the secrets page and the quickstart page load.
export { keys as words } from './cnr/portal/keys.ts'

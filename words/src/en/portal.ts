// All texts of the portal.
export * from './portal-entry.ts'
export * from './portal-work.ts'
export { keys } from './portal/keys.ts'
export { quickstart } from './portal/quickstart.ts'
export { security } from './portal/security.ts'

// All texts of the portal.
export * from './portal-entry.ts'
export * from './portal-work.ts'

// The texts of the portal's pages before sign-in, and those that every page needs.
export { entry } from './portal/entry.ts'
export { frame } from './portal/frame.ts'
export { members } from './portal/members.ts'
export { secondFactor } from './portal/second-factor.ts'

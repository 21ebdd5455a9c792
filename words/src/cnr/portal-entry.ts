export { entry } from './portal/entry.ts'
export { frame } from './portal/frame.ts'
export { members } from './portal/members.ts'
export { secondFactor } from './portal/second-factor.ts'

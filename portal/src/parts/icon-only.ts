/** For a copy button right beside what it copies. Screen readers still get its label. */
export const ICON_ONLY = { kind: 'quiet', className: 'px-2.5! text-muted! [&>span]:sr-only' } as const

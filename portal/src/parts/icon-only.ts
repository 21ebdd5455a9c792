/** For a copy button beside what it copies. Screen readers still read its label. */
export const ICON_ONLY = { kind: 'quiet', className: 'px-2.5! text-muted! [&>span]:sr-only' } as const

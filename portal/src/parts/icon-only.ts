/** For a copy button beside the text that it copies. Screen readers still read the label of the button. */
export const ICON_ONLY = { kind: 'quiet', className: 'px-2.5! text-muted! [&>span]:sr-only' } as const

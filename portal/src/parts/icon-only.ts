/** Props that reduce a copy button to its icon. Screen readers still read the label. */
export const ICON_ONLY = { kind: 'quiet', className: 'px-2.5! text-muted! [&>span]:sr-only' } as const

/** A small change that does serious harm (lost money, a leaked secret, a wrong report), and the test that must fail. */
export type Bug = readonly [what: string, file: string, original: string, changed: string, noticedBy: string]

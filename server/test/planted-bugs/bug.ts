/** One line of a source file that would cost somebody money, a secret or the truth, and the test that must notice it. */
export type Bug = readonly [what: string, file: string, right: string, wrong: string, noticedBy: string]

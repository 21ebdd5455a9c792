export const LIST_LINK = 'inline-flex min-h-6 items-center text-accent underline underline-offset-4'

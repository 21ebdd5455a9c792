// Lists of an upstream, read page by page.

/** One page of a list of the upstream; `next` is the cursor of the following page. */
export interface ListPage<Item> {
  items: Item[]
  next: string | null
}

export interface PageOptions {
  since: Date
  /** Items of later times are left out. An item without a time is never left out. */
  until?: Date
  cursor: string | null
}

/** Everything created at that time or later, in the upstream's own order. */
export type Pager<Item> = (options: PageOptions) => Promise<ListPage<Item>>

/** A report in a list. A field is null if the upstream does not report it. */
export type Listed<Report> = Report & { createdAt: Date | null; scale: number | null }

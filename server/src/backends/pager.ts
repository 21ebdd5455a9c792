/** `next`: the cursor of the following page. Null: this page is the last one. */
export interface ListPage<Item> {
  items: Item[]
  next: string | null
}

export interface PageOptions {
  since: Date
  /** Later items are left out. Items without a time are included. */
  until?: Date
  cursor: string | null
}

/** Lists everything created at `since` or later, in the upstream's own order. */
export type Pager<Item> = (options: PageOptions) => Promise<ListPage<Item>>

/** A report in a list. The time or the scale is null if the upstream does not report it. */
export type Listed<Report> = Report & { createdAt: Date | null; scale: number | null }

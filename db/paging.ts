/** Pages of a list, as the API and the statement use them. */
export interface Paging {
  /** Starts at 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Rows on all pages. */
  readonly total: number;
}

/** Rows before the page. */
export function offsetOf({ page, perPage }: Paging): number {
  return (page - 1) * perPage;
}

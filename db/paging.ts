export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** How many rows lie before the page. */
export function offsetOf({ page, perPage }: Paging): number {
  return (page - 1) * perPage;
}

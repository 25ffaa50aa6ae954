import { recordedSale } from '../../record/recorded-sale.js';
import type { Tx } from '../database.js';
import { jsonSha256 } from '../digests.js';

/** Keeps a page small: it holds the market of each report. */
const pageSize = 200;

/**
 * One sentence for each report that was sold otherwise than its entry says: another event, other rules, another time. In
 * this process and not in SQL: rules are text of the market, which PostgreSQL may refuse to read in JSON.
 */
export async function changedSales(tx: Tx): Promise<string[]> {
  const faults: string[] = [];
  for (let after = 0; ; ) {
    const page = await tx
      .selectFrom('record_entries as entry')
      .innerJoin('reports as report', 'report.id', 'entry.report_id')
      .select(['entry.seq', 'entry.payload', 'report.id', 'report.event', 'report.created_at as soldAt'])
      .where('entry.seq', '>', after)
      .where('entry.kind', '=', 'sold')
      .orderBy('entry.seq')
      .limit(pageSize)
      .execute();
    for (const { seq, payload, id: reportId, event, soldAt } of page) {
      after = seq;
      // A run that failed before its market was frozen has nothing to compare with.
      if (event === null) continue;
      const sale = recordedSale({ reportId, soldAt, event, sha256: jsonSha256 });
      if (JSON.stringify(sale) !== payload)
        faults.push(`report ${reportId} has another sale than the record`);
    }
    if (page.length < pageSize) return faults;
  }
}

import { isPublic } from '../track-record/public-chain.js';
import { type AuditScope, allRows, check, minutesBefore } from './scope.js';

/**
 * Reports against the record. Checked invariants: a sale, and an end, has an entry or waits to be sealed; nothing waits
 * for long; no entry is hidden past the time that the entry of its sale promised.
 */
export function recordChecks(now: Date, scope: AuditScope) {
  return [left(scope), unsealed(now), overdue(now, scope)];
}

/** Reports that release 1.0.0 completed have the entry of their end alone. */
const left = (scope: AuditScope) => check`
  select format('report %s is %s but not in the record', report.id, fact.kind) as summary
  from reports as report,
    unnest(array['sold', 'completed', 'failed']) as fact (kind)
  where ${scope.report('report.id')} and fact.kind in ('sold', report.status)
    and not exists (select from record_entries as entry where entry.report_id = report.id
      and (entry.kind = fact.kind or entry.version = 1))
    and not exists (select from unsealed_entries as row where row.report_id = report.id and row.kind = fact.kind)
  order by report.id`;

const unsealedMaxMinutes = 1;

const unsealed = (now: Date) => check`
  select format('%s entries of the record are not sealed, the oldest since %s', count(*), min(occurred_at)) as summary
  from unsealed_entries where occurred_at < ${minutesBefore(now, unsealedMaxMinutes)}
  having count(*) > 0`;

/** An audit of the changes looks back as far as one of all rows may be apart from the next. */
const overdueLookedBackDays = 14;

export const overdue = (now: Date, scope: AuditScope) => check`
  select format('entry %s of the record is hidden, although it opens by %s', page.seq, page.promised) as summary
  from (
    select entry.seq, entry.report_id, report.event_id, sale.opens_by as promised,
      case entry.version when 1 then sale.opens_by else entry.opens_by end as opens_by
    from record_entries as sale
    join record_entries as entry on entry.report_id = sale.report_id
    join reports as report on report.id = sale.report_id
    where sale.kind = 'sold' and sale.opens_by <= ${now}
      and sale.opens_by > ${scope === allRows ? new Date(0) : minutesBefore(now, overdueLookedBackDays * 24 * 60)}
  ) as page
  where not ${isPublic(now)}
  order by page.seq`;

import { endOfUtcDay, utcDay } from '../../council/calendar.js';
import { houseSpendKeptSince } from '../../purchase/house-ceilings.js';
import { type AuditScope, check } from './scope.js';

/**
 * The sums that the ceilings are decided on. Checked invariant: the sums of each hour that is kept are what the calls of
 * that hour cost.
 */
export function houseCheck(now: Date, scope: AuditScope) {
  const [from, to] = [houseSpendKeptSince(now), endOfUtcDay(utcDay(now))];
  return check`
    select format('%s of the hour of %s UTC (%s models) cost %s micro-dollars, but the ceilings count %s',
      case when granted then 'runs by weekly grants' else 'other runs' end,
      to_char(hour at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), case when simulated then 'simulated' else 'live' end,
      coalesce(calls.total, 0), coalesce(sums.total, 0)) as summary
    from (
      select hour, simulated, granted, sum(usd_micros) as total from house_spend
      where hour >= ${from} and hour < ${to} and ${scope.spentAt('hour')}
      group by hour, simulated, granted
    ) as sums
    full join (
      select date_trunc('hour', called_at, 'UTC') as hour, simulated, coalesce(pool = 'weekly_grant', false) as granted,
        sum(cost_usd_micros + estimated_usd_micros) as total
      from provider_calls
      where called_at >= ${from} and called_at < ${to} and ${scope.spentAt('called_at')} and lane <> 'byok'
      group by 1, 2, 3
    ) as calls using (hour, simulated, granted)
    where coalesce(calls.total, 0) <> coalesce(sums.total, 0)`;
}

import { utcDay } from '../../council/calendar.js';
import { type CeilingNotice, type HouseDay, reachedShares } from '../../purchase/house-ceilings.js';
import type { Tx } from '../database.js';

/**
 * Notes the shares of the ceilings that the day has reached. Invariant: a share is returned once a day, whichever process
 * and however many sales reach it.
 * @returns the shares that nobody has noted before
 */
export async function noteCeilings(
  tx: Tx,
  day: HouseDay,
  { simulated, now }: { simulated: boolean; now: Date },
): Promise<readonly CeilingNotice[]> {
  const reached = reachedShares(day);
  if (reached.length === 0) return [];
  const noted = await tx
    .insertInto('ceiling_notices')
    .values(
      reached.map(({ ceiling, percent }) => ({
        utc_day: utcDay(now),
        simulated,
        ceiling,
        percent,
        noticed_at: now,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning(['ceiling', 'percent'])
    .execute();
  return reached.filter(({ ceiling, percent }) =>
    noted.some(row => row.ceiling === ceiling && row.percent === percent),
  );
}

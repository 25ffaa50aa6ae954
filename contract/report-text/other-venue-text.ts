import { roundTo } from '../../council/numbers.js';
import { minuteOf } from '../../council/prompts/time-left.js';
import { venueNames } from '../callers/event-text.js';
import type { OtherVenuePriceView } from '../reports.js';

/** What a report says of the price of another venue, shared by the page and the report in Markdown. */

/**
 * "Kalshi priced the same question at 43 % at 2026-11-26 14:02 UTC": an outcome that is not plainly `Yes` is named.
 *
 * @param outcomeOf makes the name of an outcome safe to show
 */
export function otherVenueText(
  { venue, outcome, yes_price: price, read_at: readAt }: OtherVenuePriceView,
  {
    timeOf = minuteOf,
    outcomeOf = text => text,
  }: { timeOf?: (time: string) => string; outcomeOf?: (outcome: string) => string } = {},
): string {
  const question = outcome === 'Yes' ? 'the same question' : `the same question (“${outcomeOf(outcome)}”)`;
  return `${venueNames[venue]} priced ${question} at ${roundTo(price * 100, 1)} % at ${timeOf(readAt)}`;
}

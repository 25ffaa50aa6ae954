import type { EventView } from '../../../contract/events.js';
import type { GradeView } from '../../../contract/grade.js';
import type { ReportView } from '../../../contract/reports.js';
import type { BetView } from '../../../contract/runtime.js';
import type { Kind, Quote } from './kalshi-kinds.js';

/** What the API says about an event, in the form of the table of kinds: prices in cents by the suffix of the ticker. */
export function quotesOf(event: EventView): Record<string, Quote> {
  const ticker = event.event_id.slice('kalshi:'.length);
  return Object.fromEntries(
    event.markets.map(({ slug, outcomes: [yes], yes_price, best_bid, best_ask }) => [
      suffixOf(slug, ticker),
      { yes, price: centsOf(yes_price), bid: centsOf(best_bid), ask: centsOf(best_ask) },
    ]),
  );
}

function centsOf(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * 1_000) / 10;
}

function suffixOf(marketTicker: string, ticker: string): string {
  return marketTicker.slice(ticker.length + 1);
}

/** The cells of a market on the page of its event. */
export function onPage({ price, bid, ask }: Quote): string {
  return [price, bid, ask].map(cents => (cents === null ? 'none' : `${cents} ¢`)).join('|');
}

/** The prices of a market as an assistant reads them. */
export function overMcp({ price, bid, ask }: Quote): string {
  const dollars = (cents: number | null, none: string) => (cents === null ? none : String(cents / 100));
  return `YES ${dollars(price, 'no price')}, bid ${dollars(bid, 'none')}, ask ${dollars(ask, 'none')}`;
}

/** The expected percentages by outcome: those of the council, or those that the prices imply. */
export function percentsOf({ outcomes }: Kind, of: 'council' | 'market'): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(outcomes).map(([name, [council, market]]) => [name, of === 'council' ? council : market]),
  );
}

/** `BUY_NO YES at 0.607` */
export function betsOf(bets: readonly BetView[], ticker: string): string[] {
  return bets.map(({ side, slug, share_cost: cost }) => `${side} ${suffixOf(slug, ticker)} at ${cost}`);
}

/** A bet in the Markdown of its report. */
export function betInWords({ side, market, share_cost: cost }: BetView): string {
  return `${side} “${market}” at ${cost.toFixed(3)} USD a share, fee included`;
}

/** `none`, the state, or `graded: ` with the outcomes that happened and how many markets are open. */
export function gradeOf({ grade }: Pick<ReportView, 'grade'>): string {
  if (grade === null) return 'none';
  if (grade.scores === null) return grade.state;
  const happened = grade.scores.outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => name);
  const open = grade.open_markets === 0 ? '' : `; ${grade.open_markets} open`;
  return `${grade.state}: ${happened.join(', ')}${open}`;
}

/** By suffix: who decided each market, what it paid in dollars, and whether it was disputed or its rules changed. */
export function decisionsOf({ markets }: GradeView, ticker: string) {
  return Object.fromEntries(
    markets.map(({ market_id, decided_by, settlement_value, was_disputed, rules_changed }) => [
      suffixOf(market_id, ticker),
      { by: decided_by, paid: settlement_value, wasDisputed: was_disputed, rulesChanged: rules_changed },
    ]),
  );
}

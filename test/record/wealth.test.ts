import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../council/random.js';
import { trackRecord } from '../../record/figures/track-record.js';
import { logWealth, strongWealth } from '../../record/figures/wealth.js';
import { bet, forecast, outcome, resolved } from './grade-fixtures.js';
import { asOf, counts, graded, of, rain } from './graded-rows.js';

type Draw = (random: () => number) => number;

/** Bets at costs of 5 to 95 cents, on sides that win more often than the cost says by this much. */
const betsWithEdge =
  (edge: number): Draw =>
  random => {
    const cost = 0.05 + 0.9 * random();
    return random() < Math.min(0.99, cost + edge) ? (1 - cost) / cost : -1;
  };

/** Deviates as the logistic distribution, with about this standard deviation. */
const deviate = (random: () => number, by: number) => by * 0.55 * Math.log(1 / (1 - random()) - 1);
const fraction = (logit: number) => 1 / (1 + Math.exp(-logit));

/** Forecasts that deviate from the price in logits, and know this share of what the price does not. */
const forecastsThatKnow =
  (share: number, apart: number): Draw =>
  random => {
    const price = deviate(random, 1.5);
    const deviation = deviate(random, apart);
    const truth = fraction(price + share * deviation);
    const [p, q] = [fraction(price + deviation), fraction(price)];
    return random() < truth ? p / q - 1 : (1 - p) / (1 - q) - 1;
  };

const eventsEach = 1_000;

/** In how many of these records wealth ever reaches 20, looked at after each of 1,000 events, and the median event. */
function reaching(records: number, draw: Draw): { readonly count: number; readonly median: number | null } {
  const reached: number[] = [];
  for (let record = 0; record < records; record += 1) {
    const random = seededRandom(`wealth ${record}`);
    const returns = Array.from({ length: eventsEach }, () => draw(random));
    if (logWealth(returns).highest < Math.log(strongWealth)) continue;
    const [low, high] = [0, returns.length];
    reached.push(firstReach(returns, low, high));
  }
  reached.sort((a, b) => a - b);
  const median = reached.length * 2 > records ? (reached[Math.floor(records / 2)] ?? null) : null;
  return { count: reached.length, median };
}

/** The number of events after which wealth has first reached 20, by halving. */
function firstReach(returns: readonly number[], low: number, high: number): number {
  if (high - low <= 1) return high;
  const middle = Math.floor((low + high) / 2);
  const isReached = logWealth(returns.slice(0, middle)).highest >= Math.log(strongWealth);
  return isReached ? firstReach(returns, low, middle) : firstReach(returns, middle, high);
}

describe('wealth, looked at after each of 1,000 events,', () => {
  const records = 2_000;

  test.each([
    ['bets at fair prices', betsWithEdge(0)],
    ['bets at fair prices and a fee of one cent', betsWithEdge(-0.01)],
    ['forecasts that deviate a little from right prices', forecastsThatKnow(0, 0.3)],
    ['forecasts that deviate much from right prices', forecastsThatKnow(0, 1)],
  ])('ever reaches 20 in at most 5 %% of 2,000 records: %s', (_, draw) => {
    expect(reaching(records, draw).count).toBeLessThanOrEqual(0.05 * records);
  });

  test.each([
    ['bets with an edge of 5 points', betsWithEdge(0.05), 0.7, 620],
    ['bets with an edge of 8 points', betsWithEdge(0.08), 0.95, 250],
    ['forecasts that know what moves a price by 0.3', forecastsThatKnow(1, 0.3), 0.85, 550],
    ['forecasts that know what moves a price by 0.5', forecastsThatKnow(1, 0.5), 0.98, 220],
  ])('finds what is there: %s', (_, draw, share, events) => {
    const { count, median } = reaching(200, draw);
    expect(count / 200).toBeGreaterThanOrEqual(share);
    expect(median).toBeLessThanOrEqual(events);
  });
});

describe('wealth', () => {
  test('is the mean over five stakes, and its highest value is named apart', () => {
    const products = [0.05, 0.1, 0.2, 0.4, 0.8].map(stake => (1 + stake) * (1 - stake));
    const { last, highest } = logWealth([1, -1]);
    expect(last).toBeCloseTo(Math.log(products.reduce((a, b) => a + b) / 5), 12);
    expect(highest).toBeCloseTo(Math.log(1 + (0.05 + 0.1 + 0.2 + 0.4 + 0.8) / 5), 12);
    expect(logWealth([])).toEqual({ last: 0, highest: 0 });
    expect(logWealth([-1, -1]).highest).toBe(0);
  });

  test('stays a number where a dollar would have become more than numbers hold', () => {
    expect(logWealth(Array.from({ length: 5_000 }, () => 1)).last).toBeCloseTo(
      5_000 * Math.log(1.8) - Math.log(5),
      6,
    );
  });

  test('does not depend on the order of the events; its highest value follows their resolutions', () => {
    const rows = [
      { ...rain(80, 50, 'yes', { event_id: 'a' }), resolvedAt: new Date('2031-01-03') },
      { ...rain(80, 50, 'no', { event_id: 'b' }), resolvedAt: new Date('2031-01-01') },
    ];
    const lateWin = trackRecord(rows, counts, asOf).wealth.council;
    const earlyWin = trackRecord(
      rows.map(row => ({ ...row, resolvedAt: new Date(asOf) })),
      counts,
      asOf,
    ).wealth.council;
    expect(lateWin.log_wealth).toBeCloseTo(earlyWin.log_wealth, 12);
    expect(lateWin.max_log_wealth).toBe(0);
    expect(earlyWin.max_log_wealth).toBeCloseTo(logWealth([0.6]).last, 12);
  });

  test('has the first report of an event that can decide, and no other', () => {
    const priceless = rain(80, null, 'yes');
    const { council, bets } = of([priceless, rain(80, 50, 'yes'), rain(10, 50, 'yes')]).wealth;
    expect(council).toMatchObject({ n: 1, events: 1 });
    expect(council.log_wealth).toBeCloseTo(logWealth([0.8 / 0.5 - 1]).last, 12);
    expect(bets).toEqual({
      n: 0,
      events: 0,
      log_wealth: 0,
      max_log_wealth: 0,
      text: 'Nothing to stake on has resolved yet.',
    });
  });

  test('splits the dollar of an event over its settled bets, and over its independent markets', () => {
    const outcomes = [outcome('A', 60, 50), outcome('B', 30, 40), outcome('C', 50, 50)];
    const bets = [
      bet('A', { payout_per_dollar: 1 }),
      bet('B', { payout_per_dollar: 3 }),
      bet('C', { kind: 'pick' }),
    ];
    const row = graded(
      forecast(outcomes, { exclusive: false, bets }),
      resolved({ A: 'yes', B: 'no', C: 'void' }),
    );
    const { wealth } = of([row]);
    expect(wealth.bets).toMatchObject({ n: 2, events: 1 });
    expect(wealth.edge_bets.log_wealth).toBeCloseTo(logWealth([(1 - 1) / 2]).last, 12);
    expect(wealth.picks.n).toBe(0);
    expect(wealth.council).toMatchObject({ n: 2, events: 1 });
    expect(wealth.council.log_wealth).toBeCloseTo(
      logWealth([(0.6 / 0.5 - 1 + (0.7 / 0.6 - 1)) / 2]).last,
      12,
    );
  });

  test('survives a price of 0 for what happened', () => {
    const { council } = of([rain(80, 0, 'yes')]).wealth;
    expect(council.log_wealth).toBeCloseTo(logWealth([(0.8 / 0.001) * 1.001 - 1]).last, 9);
    expect(council.text).toContain('strong evidence');
  });

  test('is said in words: what a dollar became, its highest value, and what chance does', () => {
    const rows = (wins: number, losses: number) =>
      Array.from({ length: wins + losses }, (_, index) =>
        rain(80, 50, index < wins ? 'yes' : 'no', { event_id: `e${index}` }),
      );
    const textOf = (wins: number, losses: number) => of(rows(wins, losses)).wealth.council.text;
    expect(textOf(1, 0)).toBe(
      'One dollar, staked against the prices on 1 event one after the other, has become $1.19; its highest value was ' +
        '$1.19. With fair prices, it would ever reach $20 with a chance of 5 % at most. This is too little to say that ' +
        'these prices could be beaten.',
    );
    expect(textOf(0, 2)).toContain('no evidence');
    expect(textOf(20, 0)).toContain('This is strong evidence that these prices could be beaten.');
    expect(textOf(20, 40)).toContain('It has reached $20, which was strong evidence, and has fallen since.');
  });
});

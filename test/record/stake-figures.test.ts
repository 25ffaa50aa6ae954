import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../council/random.js';
import { stakeFiguresBuilder } from '../../record/figures/stake-figures.js';
import type { RecordedBet } from '../../record/recorded-forecast.js';
import { bet, forecast, outcome, resolved } from './grade-fixtures.js';
import { graded, of, rain } from './graded-rows.js';

/** A bet at 40 cents that takes 4 % of the bankroll. */
const staked = (market: string, more: Partial<RecordedBet> = {}) =>
  bet(market, { stake_fraction: 0.04, ...more });
const [won, lost] = [Math.log(1 + 0.04 * 1.5), Math.log(1 - 0.04)];

const cup = forecast([outcome('A', 40), outcome('B', 35), outcome('C', 25)], {
  bets: [staked('A', { stake_fraction: 0.02 }), staked('B', { stake_fraction: 0.01 })],
});
const independent = { ...cup, exclusive: false };

describe('a bankroll that follows the stakes', () => {
  test('grows by what the bets of each event pay together', () => {
    const rows = [graded(cup, resolved({ A: 'yes', B: 'no', C: 'no' }))];
    const { mean_log_growth, bankroll, ...counts } = of(rows).stakes;
    expect(counts).toMatchObject({ n: 2, events: 1, interval_95: null });
    expect(bankroll).toBeCloseTo(1 + 0.02 * 1.5 - 0.01, 12);
    expect(mean_log_growth).toBeCloseTo(Math.log(1.02), 12);
  });

  test('is the product over the events, and its growth their mean', () => {
    const bets = [staked('Rain')];
    const rows = [rain(60, 50, 'yes', { bets }), rain(60, 50, 'no', { bets, event_id: 'e2' })];
    const { bankroll, mean_log_growth, interval_95 } = of(rows).stakes;
    expect(bankroll).toBeCloseTo(1.06 * 0.96, 12);
    expect(mean_log_growth).toBeCloseTo((won + lost) / 2, 12);
    expect(interval_95).toEqual([lost, won]);
  });

  test('follows the first report of an event with a stake, and no other', () => {
    const rows = [
      rain(60, 50, 'yes', { bets: [bet('Rain')] }),
      rain(60, 50, 'yes', { bets: [staked('Rain', { stake_fraction: 0 })] }),
      rain(60, 50, 'yes', { bets: [staked('Rain')] }),
      rain(60, 50, 'yes', { bets: [staked('Rain', { side: 'BUY_NO' })] }),
    ];
    expect(of(rows).stakes).toMatchObject({ n: 1, events: 1, mean_log_growth: won });
  });

  test('has nothing of reports of 1.0.0', () => {
    expect(of([rain(60, 50, 'yes', { bets: [bet('Rain')] })]).stakes).toEqual({
      n: 0,
      events: 0,
      mean_log_growth: null,
      interval_95: null,
      confidence_sequence_95: null,
      bankroll: 1,
    });
  });

  test.each([
    ['void', { A: 'yes', B: 'void', C: 'no' }],
    ['open', { A: 'yes', B: 'unresolved', C: 'no' }],
  ] as const)('gets a stake back, and does not count it, whose market is %s', (_, resolutions) => {
    const { n, mean_log_growth } = of([graded(independent, resolved(resolutions))]).stakes;
    expect(n).toBe(1);
    expect(mean_log_growth).toBeCloseTo(Math.log(1 + 0.02 * 1.5), 12);
  });

  test('may lose or win all independent bets at once, but only one of an exclusive set', () => {
    const widthOf = (row: typeof cup) => {
      const sequence = of([graded(row, resolved({ A: 'yes', B: 'no', C: 'no' }))]).stakes
        .confidence_sequence_95;
      return (sequence?.[1] ?? 0) - (sequence?.[0] ?? 0);
    };
    expect(widthOf(independent)).toBeGreaterThan(widthOf(cup));
  });

  test('of more dollars than a number holds is still a number', () => {
    const bets = [staked('Rain', { payout_per_dollar: 30 })];
    const rows = Array.from({ length: 1_000 }, (_, index) =>
      rain(60, 50, 'yes', { bets, event_id: `e${index}` }),
    );
    expect(Number.isFinite(of(rows).stakes.bankroll)).toBe(true);
  });
});

/** Growth after bets at costs of 20 to 80 cents, which win as often as they cost, with stakes for an edge of 5 points. */
function withoutEdge(seed: string) {
  const random = seededRandom(seed);
  const stakes = stakeFiguresBuilder();
  const looks: (readonly [number, number] | null)[] = [];
  for (let event = 0; event < 400; event += 1) {
    const cost = 0.2 + 0.6 * random();
    const stake_fraction = Math.min(0.05, (0.25 * 0.05) / (1 - cost));
    const bets = [bet('Rain', { share_cost: cost, payout_per_dollar: 1 / cost - 1, stake_fraction })];
    stakes.add(event, { exclusive: true, bets }, [{ won: random() < cost }]);
    if (event === 99 || event === 399) looks.push(stakes.finish().confidence_sequence_95);
  }
  return looks;
}

test('the confidence sequence shows no growth in 100 records without an edge, looked at twice', () => {
  const looks = Array.from({ length: 100 }, (_, record) => withoutEdge(`record ${record}`));
  expect(looks.filter(each => each.some(sequence => sequence !== null && sequence[0] > 0))).toEqual([]);
});

import { stakes } from '../../../council/conclusion/stakes.js';
import type { Resolution } from '../../../council/event.js';
import { evidenceStatuses } from '../../../council/evidence.js';
import type { RecordedBet, RecordedForecast, RecordedOutcome } from '../../../record/recorded-forecast.js';
import { forecast } from '../../record/grade-fixtures.js';
import { addedTo } from './grounds.js';

export interface RandomReport {
  readonly forecast: RecordedForecast;
  readonly resolutions: Readonly<Record<string, Resolution>>;
}

/**
 * Reports as a service accumulates them: all kinds of events, some reported on repeatedly; degraded,
 * in conflict, searched or not, without prices, unresolved, void, disputed. Deterministic.
 */
export function randomReports(count: number, events: number): RandomReport[] {
  const random = linear(20_310_305);
  const below = (bound: number) => Math.floor(random() * bound);
  const one = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const chance = (share: number) => random() < share;

  /** Percents in tenths that add up to `total`. */
  const percents = (of: number, total: number): number[] => {
    const cuts = Array.from({ length: of - 1 }, () => below(total * 10 + 1)).sort((a, b) => a - b);
    return [...cuts, total * 10].map((cut, index) => (cut - (cuts[index - 1] ?? 0)) / 10);
  };
  const models = () => {
    const present = (['claude', 'gpt', 'gemini', 'grok'] as const).filter(() => chance(0.85));
    return present.length < 2 ? (['claude', 'grok'] as const) : present;
  };
  const kinds = ['alone', 'exclusive', 'crowded', 'independent'] as const;

  /** Reports on one event have the same event and different forecasts. */
  const kindOf = (index: number) => kinds[index % kinds.length] ?? 'alone';
  const sizeOf = (index: number) => (kindOf(index) === 'alone' ? 2 : 3 + (index % 3));

  const outcomesOf = (index: number): RecordedOutcome[] => {
    const [kind, size] = [kindOf(index), sizeOf(index)];
    const together = kind !== 'independent';
    const row = (total: number) =>
      (together ? percents(size, total) : percents(size * 2, size * 100).slice(0, size)).map(p =>
        Math.min(100, p),
      );
    const [council, market] = [row(100), row(100)];
    const members = models().map(model => [model, row(98 + below(5))] as const);
    const unpriced = chance(0.1);
    const [estimate, firstCouncil] = [row(100), row(100)];
    return council.map((percent, place) => ({
      name: kind === 'crowded' && place === size - 1 ? 'Any other' : `Outcome ${place}`,
      market_id:
        kind === 'alone' ? `${index}` : kind === 'crowded' && place === size - 1 ? null : `${index}.${place}`,
      side: kind === 'alone' && place === 1 ? 'no' : 'yes',
      council: percent,
      market: unpriced || (kind === 'independent' && chance(0.05)) ? null : (market[place] ?? 0),
      members: Object.fromEntries(members.map(([model, given]) => [model, given[place] ?? 0])),
      estimate: unpriced ? null : (estimate[place] ?? 0),
      first_council: firstCouncil[place] ?? 0,
      first_members: Object.fromEntries(members.map(([model, given]) => [model, given.at(-1 - place) ?? 0])),
    }));
  };
  const betsOf = (outcomes: readonly RecordedOutcome[]): RecordedBet[] =>
    outcomes
      .filter(({ side, market_id }) => side === 'yes' && market_id !== null && chance(0.4))
      .map(({ name, market_id }) => {
        const cost = (5 + below(90)) / 100;
        return {
          market: name,
          market_id: market_id ?? '',
          side: one(['BUY_YES', 'BUY_NO']),
          kind: one(['edge', 'pick']),
          share_cost: cost,
          payout_per_dollar: Math.round(((1 - cost) / cost) * 1e6) / 1e6,
          win_probability: below(1_001) / 10,
        };
      });
  const resolutionsOf = (index: number): Record<string, Resolution> => {
    const [kind, size] = [kindOf(index), sizeOf(index)];
    const ids =
      kind === 'alone' ? [`${index}`] : Array.from({ length: size }, (_, place) => `${index}.${place}`);
    const odd = oddEnds[below(3 * oddEnds.length) - 2 * oddEnds.length] ?? null;
    const winner = kind === 'alone' ? below(2) - 1 : below(size);
    return Object.fromEntries(
      ids.map((id, place) => {
        if (kind === 'independent') return [id, place === 0 && odd !== null ? odd : one(['yes', 'no', 'no'])];
        return [id, odd ?? (place === winner ? 'yes' : 'no')];
      }),
    );
  };

  const resolutions = Array.from({ length: events }, (_, index) => resolutionsOf(index));
  return Array.from({ length: count }, (_, number) => {
    const index = number < events ? number : below(events);
    const outcomes = outcomesOf(index);
    const made = forecast(outcomes, {
      event_id: `planted-${index}`,
      exclusive: kindOf(index) !== 'independent',
      left_out: kindOf(index) === 'crowded' ? [`${index}.${sizeOf(index) - 1}`] : [],
      degraded: chance(0.2),
      conflict: chance(0.15),
      action: one(['BUY_YES', 'BUY_NO', 'SKIP', 'SKIP']),
      bets: betsOf(outcomes),
      category: categoryOf(index, number),
      ...evidenceOf(number),
    });
    return { resolutions: resolutions[index] ?? {}, forecast: ofItsRelease(made, number) };
  });
}

/** How one of three events ends. */
const oddEnds: readonly Resolution[] = ['void', 'fifty_fifty', 'disputed', 'unresolved'];

/** Thirteen of different sizes, and null. The later reports of some events have another one than the first. */
function categoryOf(index: number, number: number): string | null {
  if (index % 9 === 4) return number % 2 === 0 ? null : 'Kind 0';
  return `Kind ${Math.floor(Math.sqrt(index * 1.1)) % 13}`;
}

/** Of every kind, and null, where nobody searched. */
function evidenceOf(number: number): Pick<RecordedForecast, 'evidence'> {
  const status = [...evidenceStatuses, null][number % 4] ?? null;
  return { evidence: status && { status, items: status === 'none' ? 0 : 7, sha256: 'e'.repeat(64) } };
}

/** One of five reports is of release 1.0.0. */
function ofItsRelease(forecast: RecordedForecast, number: number): RecordedForecast {
  if (number % 5 === 0) return forecast;
  const hasEstimate = forecast.outcomes.some(({ estimate }) => estimate !== null);
  const estimate_weights = hasEstimate ? { id: 'weights-1', sha256: 'f'.repeat(64) } : null;
  const fractions = stakes(forecast.bets, forecast.exclusive);
  const bets = forecast.bets.map((bet, place) => ({ ...bet, stake_fraction: fractions[place] ?? 0 }));
  const next = { ...forecast, record: 'record/2', method: 'council/2', estimate_weights, bets } as const;
  return { ...next, ...addedTo(next) };
}

/** Numbers in [0, 1) that are random enough for made-up reports (Numerical Recipes' generator). */
export function linear(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

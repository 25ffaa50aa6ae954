import { secondsToNextUtcDay, startOfUtcDay, utcDay } from '../council/calendar.js';
import { houseSpendKeptDays, usdMicrosPerCredit } from './limits.js';
import type { Lane } from './purchase.js';
import { freshCreditsFloor, markup, type Quote } from './quote.js';

/**
 * The house's ceilings: the model cost that the house takes on in a UTC day, in all and for weekly grants. A day takes
 * what the calls of that day have cost, and what its open runs are still expected to cost. A run that spans midnight
 * therefore counts on both days, each with its part, and nothing counts twice.
 */

/** What the operator decides about sales. */
export interface SalesPolicy {
  /** Micro-dollars; `Infinity` without a ceiling. */
  readonly houseLimitUsdMicros: number;
  /** The part of it that weekly grants may take. */
  readonly grantLimitUsdMicros: number;
  /** Whether the weekly grant waits until the address of the account is verified. */
  readonly grantNeedsVerifiedAddress: boolean;
}

export const ceilingNames = ['all', 'weekly_grants'] as const;
export type CeilingName = (typeof ceilingNames)[number];

export interface Ceiling {
  /** Spent today, and still expected of the runs that are open. */
  readonly takenUsdMicros: number;
  readonly limitUsdMicros: number;
}

/** The ceilings of one day. */
export interface HouseDay extends Readonly<Record<CeilingName, Ceiling>> {
  readonly secondsToNextDay: number;
}

export function hasCeiling({ houseLimitUsdMicros, grantLimitUsdMicros }: SalesPolicy): boolean {
  return Number.isFinite(houseLimitUsdMicros) || Number.isFinite(grantLimitUsdMicros);
}

/**
 * Nothing more starts from here on. The run that reaches the ceiling is the last, so a ceiling is exceeded by less than
 * the cost of one run, as far as the estimate is right.
 */
export function isReached({ takenUsdMicros, limitUsdMicros }: Ceiling): boolean {
  return takenUsdMicros >= limitUsdMicros;
}

/** Whether so many more runs, at what one is expected to cost, would reach one of these ceilings. */
export function isNear(
  day: HouseDay,
  { ceilings, runs, quote }: { ceilings: readonly CeilingName[]; runs: number; quote: Quote },
): boolean {
  const usdMicros = runs * runEstimateUsdMicros(quote);
  return ceilings.some(name => isReached(afterRun(day, usdMicros, true)[name]));
}

/** Whether a report takes a run whose models the house pays. On `byok` the caller pays every call. */
export function costsHouse({
  kind,
  lane,
}: {
  readonly kind: 'fresh' | 'cached';
  readonly lane: Lane;
}): boolean {
  return kind === 'fresh' && lane !== 'byok';
}

/**
 * What one run is expected to cost: the estimate that the price follows, but no less than what the lowest price stands
 * for. A few cheap runs must not let a burst of them start below the ceiling.
 */
export function runEstimateUsdMicros({ estimateUsdMicros }: Quote): number {
  return Math.max(estimateUsdMicros, runEstimateFloorUsdMicros);
}

const runEstimateFloorUsdMicros = (freshCreditsFloor * usdMicrosPerCredit) / markup;

/** A day in which nothing was taken. */
export function untouchedDay(policy: SalesPolicy, now: Date): HouseDay {
  return houseDay({ all: 0, weekly_grants: 0 }, policy, now);
}

export function houseDay(
  takenUsdMicros: Readonly<Record<CeilingName, number>>,
  { houseLimitUsdMicros, grantLimitUsdMicros }: SalesPolicy,
  now: Date,
): HouseDay {
  return {
    all: { takenUsdMicros: takenUsdMicros.all, limitUsdMicros: houseLimitUsdMicros },
    weekly_grants: { takenUsdMicros: takenUsdMicros.weekly_grants, limitUsdMicros: grantLimitUsdMicros },
    secondsToNextDay: secondsToNextUtcDay(now),
  };
}

/** The same day after one more run. */
export function afterRun(day: HouseDay, usdMicros: number, isGranted: boolean): HouseDay {
  const plus = (ceiling: Ceiling) => ({ ...ceiling, takenUsdMicros: ceiling.takenUsdMicros + usdMicros });
  return { ...day, all: plus(day.all), ...(isGranted ? { weekly_grants: plus(day.weekly_grants) } : {}) };
}

/** Since when the cost of each hour is kept: today, and yesterday for processes whose clocks are behind. */
export function houseSpendKeptSince(now: Date): Date {
  const today = startOfUtcDay(utcDay(now));
  return new Date(today.getTime() - (houseSpendKeptDays - 1) * 86_400_000);
}

/** The shares of a ceiling that the log, the metrics and the alerts name. */
export const ceilingPercents = [50, 80, 100] as const;
export type CeilingPercent = (typeof ceilingPercents)[number];

/** A share of a ceiling that a day has reached. */
export interface CeilingNotice extends Ceiling {
  readonly ceiling: CeilingName;
  readonly percent: CeilingPercent;
}

export function reachedShares(day: HouseDay): readonly CeilingNotice[] {
  return ceilingNames.flatMap(ceiling =>
    ceilingPercents.flatMap(percent => {
      const { takenUsdMicros, limitUsdMicros } = day[ceiling];
      const isShareReached = takenUsdMicros * 100 >= limitUsdMicros * percent;
      return isShareReached ? [{ ceiling, percent, takenUsdMicros, limitUsdMicros }] : [];
    }),
  );
}

/** Logs each notice in US dollars: one line for each share, ceiling and day (see `note-ceilings.ts`). */
export function logCeiling(log: { warn(fields: object, text: string): void }) {
  const usd = (micros: number) => Math.round(micros / 100) / 10_000;
  return ({ ceiling, percent, takenUsdMicros, limitUsdMicros }: CeilingNotice): void =>
    log.warn(
      { ceiling, percent, takenUsd: usd(takenUsdMicros), limitUsd: usd(limitUsdMicros) },
      'the house has taken on this share of its daily ceiling of model cost',
    );
}

import { blend } from '../../council/conclusion/consensus.js';
import { at, sum } from '../../council/numbers.js';
import { meanRow, type Score, scoreOf } from '../grades/grade-scores.js';
import type { GradableRow, GradeRules, Numbers } from './gradable-row.js';
import type { SettledRow } from './settle-row.js';

/** The forecasts of a graded row on the outcomes that have a result. */
export interface ScoredRow {
  readonly exclusive: boolean;
  /** Aligned with every forecast. */
  readonly happened: readonly number[];
  /** The same with the side of each outcome. */
  readonly results: readonly { readonly side: 'yes' | 'no'; readonly happened: number }[];
  /** Probabilities (0..1); null for a forecaster that lacks a number on one of the outcomes. */
  readonly council: Row;
  readonly market: Row;
  readonly blend: Row;
  readonly estimate: Row;
  readonly mean: Row;
  readonly members: readonly { readonly name: string; readonly row: readonly number[] }[];
}

export type Row = readonly number[] | null;

/** @param settled of the same row, and graded */
export function scoredRow(row: GradableRow, settled: SettledRow, { baseline }: GradeRules): ScoredRow {
  const { exclusive } = row;
  const kept = settled.happened.flatMap((share, index) => (share === null ? [] : [index]));
  const numbers = (of: Numbers | null) => (of === null ? null : complete(of, kept, exclusive));
  const members = Object.entries(row.members).flatMap(([name, of]) => {
    const forecast = numbers(of);
    return forecast === null ? [] : [{ name, row: forecast }];
  });
  const council = numbers(row.council);
  const market = numbers(baseline === 'at-forecast' ? row.market : row.market_at_close_1d);
  const happened = settled.happened.filter(share => share !== null);
  return {
    exclusive,
    happened,
    results: kept.map((index, place) => ({
      side: at(row.outcomes, index).side,
      happened: at(happened, place),
    })),
    council,
    market,
    blend: council && market && blend(council, market, exclusive),
    estimate: numbers(row.estimate),
    mean: council && meanRow(members.map(member => member.row)),
    members,
  };
}

/** A row of zeros on an exclusive set is no distribution. */
function complete(of: Numbers, kept: readonly number[], exclusive: boolean): Row {
  const row = kept.map(index => of[index] ?? null).filter(p => p !== null);
  return row.length === kept.length && (!exclusive || row.some(p => p > 0)) ? row : null;
}

export interface RowScore extends Score {
  /** Each outcome as a yes/no question: the mean over them of (p − y)², 0 to 1. `brier` is that of the whole vector. */
  readonly binary: number;
}

export function rowScore(row: readonly number[], { happened, exclusive }: ScoredRow): RowScore {
  const binary = sum(row.map((p, index) => (p - at(happened, index)) ** 2)) / row.length;
  return { ...scoreOf(row, happened, exclusive), binary };
}

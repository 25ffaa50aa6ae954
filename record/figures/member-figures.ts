import { pool } from '../../council/conclusion/consensus.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { at, clamp, sum } from '../../council/numbers.js';
import type { ReportScores } from '../grades/grade.js';
import { scoredMemberRows, scoreOf } from '../grades/grade-scores.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import { brierWidth } from './confidence-sequence.js';
import { type EventMean, meanOfEvents, votesByEvent } from './event-mean.js';
import { differenceBuilder } from './figures.js';

/** What a council of several is worth: how alike the members err, and how the council does without each. */
export interface MemberFigures {
  readonly error_correlation: ErrorCorrelation;
  readonly left_out: Readonly<Record<CouncilModel, LeftOut>>;
}

export interface ErrorCorrelation {
  /** Mean over the pairs that have one. */
  readonly mean: number | null;
  /**
   * n / (1 + (n − 1) · mean) with n = 4: so many members of the same skill, whose errors have nothing in common, would
   * make a mean as good as that of these four. Null where the mean allows for no such number.
   */
  readonly effective_members: number | null;
  /** Every two members, in the council's fixed order. */
  readonly pairs: readonly PairCorrelation[];
}

/**
 * How alike two members err, −1 to 1, on the reports in which both have a forecast. With their probabilities a and b, and
 * y of what happened, c(a, b) is Σ(a − y)(b − y) over an exclusive set, and twice its mean over independent markets, so
 * that c(a, a) is the Brier score. One event, one vote for each of the three: correlation = C(a, b) / √(C(a, a) · C(b, b)).
 * It is not centred, because an error that both always make is one that they share. Part of it is chance that no forecaster
 * can know, so that even good members of different minds are far above 0.
 */
export interface PairCorrelation {
  readonly members: readonly [CouncilModel, CouncilModel];
  /** Number of reports. */
  readonly n: number;
  readonly events: number;
  readonly correlation: number | null;
}

/**
 * Brier of the council without the member − with it, on the reports in which it and another member have a forecast. Above
 * 0 the council is worse without it. Both are pooled here, by the method's formula from the members' recorded percents: the
 * published percents are rounded, and made monotone on ladders, which the record does not have.
 */
export interface LeftOut extends EventMean {
  readonly without_brier: number | null;
  readonly council_brier: number | null;
}

interface MemberFiguresBuilder {
  add(event: number, forecast: RecordedForecast, scores: ReportScores): void;
  finish(): MemberFigures;
}

export function memberFiguresBuilder(): MemberFiguresBuilder {
  const correlation = correlationBuilder();
  const leftOut = leftOutBuilder();
  return {
    add: (event, { outcomes, exclusive }, scores) => {
      const happened = scores.outcomes.map(outcome => outcome.happened);
      const scored = outcomes.filter((_, index) => at(happened, index) !== null);
      const members = scoredMemberRows(scored, exclusive, 'members').flatMap(({ model, row }) =>
        row === null ? [] : [{ model, row }],
      );
      const report = { exclusive, members, happened: happened.filter(outcome => outcome !== null) };
      correlation.add(event, report);
      leftOut.add(event, report);
    },
    finish: () => ({ error_correlation: correlation.finish(), left_out: leftOut.finish() }),
  };
}

/** The members that have a forecast of all scored outcomes of a report. */
interface ScoredMembers {
  readonly exclusive: boolean;
  readonly members: readonly { readonly model: CouncilModel; readonly row: readonly number[] }[];
  /** Aligned with the rows. */
  readonly happened: readonly (0 | 1)[];
}

function correlationBuilder() {
  const pairs = councilModels.flatMap((one, index) =>
    councilModels.slice(index + 1).map(other => ({ one, other, votes: votesByEvent(3) })),
  );
  return {
    add: (event: number, { exclusive, members, happened }: ScoredMembers): void => {
      const errorsOf = (model: CouncilModel) =>
        members.find(member => member.model === model)?.row.map((p, index) => p - at(happened, index));
      for (const { one, other, votes } of pairs) {
        const [a, b] = [errorsOf(one), errorsOf(other)];
        if (a === undefined || b === undefined) continue;
        const weight = exclusive ? 1 : 2 / happened.length;
        const shared = (some: Errors, others: Errors) =>
          weight * sum(some.map((error, index) => error * at(others, index)));
        votes.add(event, [shared(a, b), shared(a, a), shared(b, b)]);
      }
    },
    finish: (): ErrorCorrelation => {
      const found = pairs.map(({ one, other, votes }): PairCorrelation => {
        const { n, events, columns } = votes.finish();
        const [ab, aa, bb] = [0, 1, 2].map(column => meanOfEvents(at(columns, column)) ?? 0);
        const scale = Math.sqrt((aa ?? 0) * (bb ?? 0));
        // Rounding can carry the quotient of two equal numbers beyond 1.
        const correlation = scale === 0 ? null : clamp((ab ?? 0) / scale, -1, 1);
        return { members: [one, other], n, events, correlation };
      });
      const known = found.flatMap(({ correlation }) => (correlation === null ? [] : [correlation]));
      const mean = known.length === 0 ? null : sum(known) / known.length;
      return { mean, effective_members: effectiveMembers(mean), pairs: found };
    },
  };
}

type Errors = readonly number[];

function effectiveMembers(correlation: number | null): number | null {
  if (correlation === null) return null;
  const n = councilModels.length;
  const inflation = 1 + (n - 1) * correlation;
  return inflation <= 0 ? null : n / inflation;
}

function leftOutBuilder() {
  const builder = () => differenceBuilder(councilModels.length);
  const differences = { claude: builder(), gpt: builder(), gemini: builder(), grok: builder() };
  const finished = (model: CouncilModel): LeftOut => {
    const { first: without_brier, second: council_brier, ...difference } = differences[model].finish();
    return { ...difference, without_brier, council_brier };
  };
  return {
    add: (event: number, { exclusive, members, happened }: ScoredMembers): void => {
      if (members.length < 2) return;
      const pooled = (of: ScoredMembers['members']) =>
        pool(
          of.map(({ row }) => row),
          { exclusive },
        );
      const council = pooled(members);
      const score = scoreOf(council, happened, exclusive);
      for (const { model } of members) {
        const others = pooled(members.filter(member => member.model !== model));
        const width = brierWidth(percents(others), percents(council), exclusive);
        differences[model].add(event, scoreOf(others, happened, exclusive), score, width);
      }
    },
    finish: () => ({
      claude: finished('claude'),
      gpt: finished('gpt'),
      gemini: finished('gemini'),
      grok: finished('grok'),
    }),
  };
}

function percents(row: readonly number[]): number[] {
  return row.map(p => p * 100);
}

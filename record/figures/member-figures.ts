import { pool } from '../../council/conclusion/consensus.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { at, clamp, sum } from '../../council/numbers.js';
import type { ReportScores } from '../grades/grade.js';
import { type Score, scoredMemberRows, scoreOf } from '../grades/grade-scores.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import { brierWidth } from './confidence-sequence.js';
import { type EventMean, type MeansByEvent, meansByEvent } from './event-mean.js';
import { differenceBuilder } from './figures.js';

/** What a council of several is worth: how alike the members err, and how the council does without each. */
export interface MemberFigures {
  readonly error_correlation: ErrorCorrelation<CouncilModel>;
  readonly left_out: Readonly<Record<CouncilModel, LeftOut>>;
}

export interface ErrorCorrelation<Name extends string> {
  /** Mean over the pairs that have one. */
  readonly mean: number | null;
  /**
   * n / (1 + (n − 1) · mean) with n members: so many members of the same skill, whose errors have nothing in common, would
   * make a mean as good as that of these. Null where the mean allows for no such number.
   */
  readonly effective_members: number | null;
  /** Every two members, in their fixed order. */
  readonly pairs: readonly PairCorrelation<Name>[];
}

/**
 * How alike two members err, −1 to 1, on the reports in which both have a forecast. With their probabilities a and b, and
 * y of what happened, c(a, b) is Σ(a − y)(b − y) over an exclusive set, and twice its mean over independent markets, so
 * that c(a, a) is the Brier score. One event, one vote for each of the three: correlation = C(a, b) / √(C(a, a) · C(b, b)).
 * It is not centred, because an error that both always make is one that they share. Part of it is chance that no forecaster
 * can know, so that even good members of different minds are far above 0.
 */
interface PairCorrelation<Name extends string> {
  readonly members: readonly [Name, Name];
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
interface LeftOut extends EventMean {
  readonly without_brier: number | null;
  readonly council_brier: number | null;
}

interface MemberFiguresBuilder {
  add(event: number, forecast: RecordedForecast, scores: ReportScores): void;
  finish(): MemberFigures;
}

export function memberFiguresBuilder(): MemberFiguresBuilder {
  const figures = namedMemberFigures(councilModels, inAnyOrder);
  return {
    add: (event, { outcomes, exclusive }, scores) => {
      const happened = scores.outcomes.map(outcome => outcome.happened);
      const scored = outcomes.filter((_, index) => at(happened, index) !== null);
      const members = scoredMemberRows(scored, exclusive, 'members').flatMap(({ model, row }) =>
        row === null ? [] : [{ name: model, row }],
      );
      figures.add(event, { exclusive, members, happened: happened.filter(outcome => outcome !== null) });
    },
    finish: () => {
      const { error_correlation, leftOut } = figures.finish();
      const left_out = {
        claude: leftOut('claude'),
        gpt: leftOut('gpt'),
        gemini: leftOut('gemini'),
        grok: leftOut('grok'),
      };
      return { error_correlation, left_out };
    },
  };
}

/** What member figures are kept in. */
export interface MemberMeans<Figure> {
  readonly createMeans: (width: number) => MeansByEvent;
  readonly createLeftOut: () => LeftOutBuilder<Figure>;
}

/** The council without a member beside the council. */
export interface LeftOutBuilder<Figure> {
  /** @param width see `brierWidth` */
  add(event: number, without: Score, council: Score, width: number): void;
  finish(): Figure;
}

interface NamedMemberFigures<Name extends string, Figure> {
  readonly error_correlation: ErrorCorrelation<Name>;
  readonly leftOut: (name: Name) => Figure;
}

/** Of reports in any order. */
const inAnyOrder: MemberMeans<LeftOut> = {
  createMeans: meansByEvent,
  createLeftOut: () => {
    const difference = differenceBuilder(councilModels.length);
    return {
      add: (event, without, council, width) => difference.add(event, without, council, width),
      finish: () => {
        const { first: without_brier, second: council_brier, ...finished } = difference.finish();
        return { ...finished, without_brier, council_brier };
      },
    };
  },
};

/** The same of any members, by their names. */
export function namedMemberFigures<Name extends string, Figure>(
  names: readonly Name[],
  means: MemberMeans<Figure>,
) {
  const correlation = correlationBuilder(names, means);
  const leftOut = leftOutBuilder(names, means);
  return {
    add: (event: number, report: ScoredMembers<Name>): void => {
      correlation.add(event, report);
      leftOut.add(event, report);
    },
    finish: (): NamedMemberFigures<Name, Figure> => ({
      error_correlation: correlation.finish(),
      leftOut: leftOut.finish,
    }),
  };
}

/** The members that have a forecast of all scored outcomes of a report. */
interface ScoredMembers<Name extends string> {
  readonly exclusive: boolean;
  readonly members: readonly { readonly name: Name; readonly row: readonly number[] }[];
  /** Aligned with the rows; 0 to 1. */
  readonly happened: readonly number[];
}

function correlationBuilder<Name extends string>(
  names: readonly Name[],
  { createMeans }: Pick<MemberMeans<unknown>, 'createMeans'>,
) {
  const pairs = names.flatMap((one, index) =>
    names.slice(index + 1).map(other => ({ one, other, errors: createMeans(3) })),
  );
  return {
    add: (event: number, { exclusive, members, happened }: ScoredMembers<Name>): void => {
      const errorsOf = new Map(
        members.map(({ name, row }) => [name, row.map((p, index) => p - at(happened, index))]),
      );
      for (const { one, other, errors } of pairs) {
        const [a, b] = [errorsOf.get(one), errorsOf.get(other)];
        if (a === undefined || b === undefined) continue;
        const weight = exclusive ? 1 : 2 / happened.length;
        const shared = (some: Errors, others: Errors) =>
          weight * sum(some.map((error, index) => error * at(others, index)));
        errors.add(event, [shared(a, b), shared(a, a), shared(b, b)]);
      }
    },
    finish: (): ErrorCorrelation<Name> => {
      const found = pairs.map(({ one, other, errors }): PairCorrelation<Name> => {
        const { n, events, means } = errors.finish();
        const [ab, aa, bb] = means;
        const scale = Math.sqrt((aa ?? 0) * (bb ?? 0));
        // Rounding can carry the quotient of two equal numbers beyond 1.
        const correlation = scale === 0 ? null : clamp((ab ?? 0) / scale, -1, 1);
        return { members: [one, other], n, events, correlation };
      });
      const known = found.flatMap(({ correlation }) => (correlation === null ? [] : [correlation]));
      const mean = known.length === 0 ? null : sum(known) / known.length;
      return { mean, effective_members: effectiveMembers(mean, names.length), pairs: found };
    },
  };
}

type Errors = readonly number[];

function effectiveMembers(correlation: number | null, n: number): number | null {
  if (correlation === null) return null;
  const inflation = 1 + (n - 1) * correlation;
  return inflation <= 0 ? null : n / inflation;
}

function leftOutBuilder<Name extends string, Figure>(
  names: readonly Name[],
  { createLeftOut }: MemberMeans<Figure>,
) {
  const differences = new Map(names.map(name => [name, createLeftOut()]));
  return {
    add: (event: number, { exclusive, members, happened }: ScoredMembers<Name>): void => {
      if (members.length < 2) return;
      const pooled = (of: ScoredMembers<Name>['members']) =>
        pool(
          of.map(({ row }) => row),
          { exclusive },
        );
      const council = pooled(members);
      const score = scoreOf(council, happened, exclusive);
      for (const { name } of members) {
        const others = pooled(members.filter(member => member.name !== name));
        const width = brierWidth(percents(others), percents(council), exclusive);
        differences.get(name)?.add(event, scoreOf(others, happened, exclusive), score, width);
      }
    },
    finish: (name: Name): Figure => (differences.get(name) ?? createLeftOut()).finish(),
  };
}

function percents(row: readonly number[]): number[] {
  return row.map(p => p * 100);
}

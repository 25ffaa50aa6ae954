import { type ErrorCorrelation, namedMemberFigures } from '../figures/member-figures.js';
import { graderVersion } from '../grades/grade.js';
import { type CanonicalRows, rowOf } from './canonical-rows.js';
import {
  type ForecasterFigures,
  type ForecasterFiguresBuilder,
  forecasterFiguresBuilder,
  inOrder,
  type WithoutMember,
} from './forecaster-figures.js';
import type { GradableRow, GradeRules, RowState } from './gradable-row.js';
import { type ComparedGrade, compareGrades, type Difference } from './old-grades.js';
import { type PackedTexts, packedTexts } from './packed-texts.js';
import { type Row, type RowScore, rowScore, type ScoredRow, scoredRow } from './row-scores.js';
import { settleRow } from './settle-row.js';

/** What rows score under rules. */
export interface Regrading {
  /** The version of the rules by which outcomes are settled and scored. */
  readonly grader: string;
  readonly rules: GradeRules;
  /** Number of rows by what became of them. Only those that are `graded` have scores. */
  readonly rows: Readonly<Record<RowState | 'read', number>>;
  /** Number of graded rows of more than two outcomes. */
  readonly multi_outcome: number;
  /** Number of events among the graded rows. */
  readonly events: number;
  readonly cost: Cost;
  readonly figures: RegradedFigures;
  readonly old_grades: OldGrades;
  /** The JSON of the `ComparedGrade` of each row that came with a grade, by event and id. */
  readonly grades: PackedTexts;
}

/** The rows that came with a grade. */
export interface OldGrades {
  readonly n: number;
  /** Number of those whose new grade is another. */
  readonly differ: number;
  /** How often each reason was found. */
  readonly why: Readonly<Partial<Record<Difference, number>>>;
}

/** In credits, of the rows whose price is known. */
export interface Cost {
  readonly n: number;
  readonly credits: number;
  /** Null if none of them is graded. */
  readonly credits_per_graded_row: number | null;
}

export interface RegradedFigures {
  readonly council: ForecasterFigures;
  readonly market: ForecasterFigures;
  /** 20 % council and 80 % market in logits. */
  readonly blend: ForecasterFigures;
  /** Council and market by learnt weights, where the file has it. */
  readonly estimate: ForecasterFigures;
  /** The members' arithmetic mean, on the council's rows. */
  readonly mean: ForecasterFigures;
  readonly members: Readonly<Record<string, ForecasterFigures>>;
  readonly error_correlation: ErrorCorrelation<string>;
  /** By the name of each member, the council without it minus the council, by the Brier score of the whole vector. */
  readonly without: Readonly<Record<string, WithoutMember>>;
}

/** Called with each piece of the text that the digest covers, in order. */
export type TakeText = (text: string) => void;

/** Grades rows under rules. Their order and that of their outcomes changes no bit of the result. */
export function regrade(rows: CanonicalRows, rules: GradeRules, digest: TakeText): Regrading {
  const { baseline, scalar, disputed, rules_changed } = rules;
  const parts = createParts(rows.members);
  digest(JSON.stringify({ grader: graderVersion, baseline, scalar, disputed, rules_changed }));
  for (const text of rows.texts.inOrder()) {
    digest('\n');
    digest(text);
    addTo(parts, rowOf(text), rules);
  }
  const { counts, cost, multiOutcome, oldGrades, grades } = parts;
  const figures = finish(parts);
  digest(`\n${JSON.stringify(figures, withoutNoise)}\n`);
  return {
    grader: graderVersion,
    rules: { baseline, scalar, disputed, rules_changed },
    rows: counts,
    multi_outcome: multiOutcome,
    events: parts.events.count(),
    cost: {
      ...cost,
      credits_per_graded_row: parts.gradedAtCost === 0 ? null : cost.credits / parts.gradedAtCost,
    },
    figures,
    old_grades: oldGrades,
    grades,
  };
}

function createParts(names: readonly string[]) {
  return {
    counts: {
      read: 0,
      graded: 0,
      pending: 0,
      void: 0,
      fifty_fifty: 0,
      disputed: 0,
      left_out: 0,
      no_forecast: 0,
    },
    cost: { n: 0, credits: 0 },
    gradedAtCost: 0,
    multiOutcome: 0,
    events: contiguousEvents(),
    oldGrades: { n: 0, differ: 0, why: noReasons() },
    grades: packedTexts(),
    council: forecasterFiguresBuilder(),
    market: forecasterFiguresBuilder(),
    blend: forecasterFiguresBuilder(),
    estimate: forecasterFiguresBuilder(),
    mean: forecasterFiguresBuilder(),
    members: new Map(names.map(name => [name, forecasterFiguresBuilder()])),
    together: namedMemberFigures(names, inOrder),
    names,
  };
}

type Parts = ReturnType<typeof createParts>;

/** Numbers events whose rows follow one another, without keeping their ids. */
function contiguousEvents() {
  let [last, count] = ['', 0];
  return {
    numberOf: (event: string): number => {
      if (count === 0 || event !== last) count += 1;
      last = event;
      return count - 1;
    },
    count: (): number => count,
  };
}

function addTo(parts: Parts, row: GradableRow, rules: GradeRules): void {
  const settled = settleRow(row, rules);
  const scored = settled.state === 'graded' ? scoredRow(row, settled, rules) : null;
  parts.counts.read += 1;
  parts.counts[settled.state] += 1;
  if (row.credits !== null) {
    parts.cost.n += 1;
    parts.cost.credits += row.credits;
    if (scored !== null) parts.gradedAtCost += 1;
  }
  if (scored !== null && scored.exclusive && scored.happened.length > 2) parts.multiOutcome += 1;
  const council = scored === null ? null : addScores(parts, parts.events.numberOf(row.event), scored);
  if (row.old !== null) addGrade(parts, compareGrades(row, row.old, settled, council));
}

function noReasons(): Partial<Record<Difference, number>> {
  return {};
}

function addGrade({ oldGrades, grades }: Parts, grade: ComparedGrade): void {
  oldGrades.n += 1;
  if (grade.why.length > 0) oldGrades.differ += 1;
  for (const reason of grade.why) oldGrades.why[reason] = (oldGrades.why[reason] ?? 0) + 1;
  grades.add(JSON.stringify(grade));
}

/** @returns the score of the council */
function addScores(parts: Parts, event: number, scored: ScoredRow): RowScore | null {
  const market = scored.market && rowScore(scored.market, scored);
  const add = (to: ForecasterFiguresBuilder, row: Row, against: RowScore | null = market) => {
    const score = row && rowScore(row, scored);
    if (row !== null && score !== null) to.add(event, scored, { row, score }, against);
    return score;
  };
  add(parts.market, scored.market, null);
  add(parts.blend, scored.blend);
  add(parts.estimate, scored.estimate);
  add(parts.mean, scored.mean);
  for (const { name, row } of scored.members) {
    const figures = parts.members.get(name);
    if (figures !== undefined) add(figures, row);
  }
  parts.together.add(event, scored);
  return add(parts.council, scored.council);
}

function finish(parts: Parts): RegradedFigures {
  const { error_correlation, leftOut } = parts.together.finish();
  return {
    council: parts.council.finish(),
    market: parts.market.finish(),
    blend: parts.blend.finish(),
    estimate: parts.estimate.finish(),
    mean: parts.mean.finish(),
    members: Object.fromEntries([...parts.members].map(([name, figures]) => [name, figures.finish()])),
    error_correlation,
    without: Object.fromEntries(parts.names.map(name => [name, leftOut(name)])),
  };
}

/** The digits that machines could disagree on count for nothing. */
function withoutNoise(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(digestedDecimals)) : value;
}

const digestedDecimals = 9;

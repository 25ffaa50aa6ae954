import type { ForecasterFigures } from '../../../record/regrading/forecaster-figures.js';
import type { Regrading } from '../../../record/regrading/regrade.js';
import { plain, range, signed } from './figure-text.js';

/** What the command prints, without the old grades. */
export interface GradedDocument extends Omit<Regrading, 'grades'> {
  readonly format: string;
  /** SHA-256, hex, of the rows in their canonical order, the rules and the figures. */
  readonly digest: string;
}

/** The figures as text. */
export function gradeTable(graded: GradedDocument): string[] {
  return [
    ...countLines(graded),
    ...forecasterLines(graded),
    ...withoutLines(graded),
    ...oldGradeLines(graded),
    `digest ${graded.digest}`,
  ];
}

function countLines({ format, grader, rules, rows, events, multi_outcome, cost }: GradedDocument) {
  const { read, graded, ...others } = rows;
  const left = Object.entries(others)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return [
    `${read} rows of ${format}, ${graded} graded by ${grader} (${multi_outcome} of more than two outcomes), of ${events} events${left.map(text => `, ${text}`).join('')}`,
    `rules: baseline ${rules.baseline}, scalar ${rules.scalar}, disputed ${rules.disputed}, rules changed ${rules.rules_changed}`,
    ...(cost.n === 0 ? [] : [`cost: ${cost.credits} credits for ${cost.n} rows`]),
  ];
}

function forecasterLines({ figures }: GradedDocument): string[] {
  const { council, market, blend, estimate, mean, members } = figures;
  const rows = Object.entries({ council, market, blend, estimate, mean, ...members });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${''.padEnd(width)}       n  binary  95 %              vector  log     minus market, binary, 95 %       skill`,
    ...rows.map(([name, one]) => `${name.padEnd(width)}  ${figureText(one)}`),
  ];
}

function figureText({
  n,
  brier_binary_0_to_1: binary,
  brier_vector_0_to_2: vector,
  log_score,
  against_market: against,
}: ForecasterFigures): string {
  const count = String(n).padStart(6);
  if (binary.mean === null || vector.mean === null || log_score.mean === null) return `${count}  none`;
  const scores = `${plain(binary.mean)}  ${range(binary.interval_95, plain).padEnd(16)}  ${plain(vector.mean)}  ${plain(log_score.mean)}`;
  if (against === null) return `${count}  ${scores}`;
  const difference = `${signed(against.difference)}, ${range(against.difference_interval_95, signed)}`;
  return `${count}  ${scores}  ${difference.padEnd(27)}  ${against.skill === null ? 'none' : signed(against.skill)}`;
}

/** The value of each member: the council without it. */
function withoutLines({ figures: { without, error_correlation: correlation } }: GradedDocument): string[] {
  const names = Object.keys(without);
  if (names.length < 2) return [];
  const width = Math.max(...names.map(name => name.length), 'without'.length);
  const effective = correlation.effective_members;
  return [
    `${'without'.padEnd(width)}       n  minus council, vector, 95 %; above 0 the council is worse without it`,
    ...Object.entries(without).map(([name, found]) =>
      found === null
        ? `${name.padEnd(width)}       0  none`
        : `${name.padEnd(width)}  ${String(found.n).padStart(6)}  ${signed(found.difference)}  ${range(found.difference_interval_95, signed)}`,
    ),
    ...(correlation.mean === null || effective === null
      ? []
      : [
          `errors of two members correlate by ${correlation.mean.toFixed(2)}, worth ${effective.toFixed(1)} members whose errors have nothing in common`,
        ]),
  ];
}

function oldGradeLines({ old_grades: { n, differ, why } }: GradedDocument): string[] {
  if (n === 0) return [];
  const because = Object.entries(why).map(([reason, count]) => `${reason} ${count}`);
  return [`${n} old grades, ${differ} differ${because.length === 0 ? '' : `: ${because.join(', ')}`}`];
}

import { z } from 'zod';
import { resolution } from '../../../contract/parts.js';
import {
  type Answer,
  answerByShare,
  answeredOutcome,
  answerOf,
  withAnswers,
} from '../../../record/regrading/answers.js';
import type { GradableRow } from '../../../record/regrading/gradable-row.js';
import { fromCells } from './cells.js';
import { badRow, type FileRow, openRows, parseRow } from './file-rows.js';

/** How events ended, by a file of one's own. */
export interface Resolutions {
  /** The row as the file has it: unchanged if the file does not name its event. */
  applyTo(row: GradableRow): GradableRow;
}

interface GivenAnswer {
  readonly answer: Answer;
  readonly from: FileRow;
}

/** Reads `event_id,outcome[,resolution][,was_disputed][,rules_changed][,market_at_close_1d]`, a table or JSON lines. */
export function readResolutions(name: string): Resolutions {
  const events = new Map<string, GivenAnswer[]>();
  const file = openRows(name);
  for (const from of file.rows()) {
    const row = parseRow(file.isTable ? tableShape : rowShape, from);
    const event = eventKey(row.event_id);
    const known = events.get(event) ?? [];
    if (known.some(({ answer }) => answer.outcome === row.outcome))
      throw badRow(from, ['outcome'], `${row.outcome} of the event ${row.event_id} stands in the file twice`);
    events.set(event, [...known, { answer: toAnswer(row), from: { ...from, value: null } }]);
  }
  return { applyTo: row => answered(row, events.get(eventKey(row.event)) ?? []) };
}

function answered(row: GradableRow, given: readonly GivenAnswer[]): GradableRow {
  if (given.length === 0 || row.outcomes.length === 0) return row;
  for (const { answer, from } of given) {
    if (answeredOutcome(row, answer.outcome) !== undefined) continue;
    const names = row.outcomes.map(({ name }) => name).join(', ');
    throw badRow(
      from,
      ['outcome'],
      `the event ${row.event} has no outcome ${answer.outcome}; it has ${names}`,
    );
  }
  return withAnswers(
    row,
    given.map(({ answer }) => answer),
  );
}

/** `polymarket:ID` names the same event as `ID`. */
function eventKey(id: string): string {
  return id.replace(/^polymarket:/, '');
}

const share = z.number().min(0).max(1);

const flag = z
  .union([z.boolean(), z.literal([0, 1]).transform(value => value === 1)])
  .nullable()
  .default(null);

const rowShape = z.object({
  event_id: z.string().min(1),
  outcome: z.string().min(1),
  resolution: z
    .union(
      [
        resolution,
        share,
        z
          .string()
          .regex(/^[01]?\.?\d+$/)
          .transform(Number)
          .pipe(share),
      ],
      {
        error: 'must be yes, no, void, fifty_fifty, disputed, unresolved, or what a share paid, 0 to 1',
      },
    )
    .nullable()
    .default(null),
  was_disputed: flag,
  rules_changed: flag,
  market_at_close_1d: share.nullable().default(null),
});

const tableShape = fromCells(rowShape, {
  numbers: ['market_at_close_1d'],
  json: ['was_disputed', 'rules_changed'],
});

/** Without a resolution the line says that the outcome happened. */
function toAnswer({ outcome, resolution: given, ...more }: z.output<typeof rowShape>): Answer {
  const { was_disputed, rules_changed, market_at_close_1d } = more;
  const answer =
    typeof given === 'number' ? answerByShare(outcome, given) : answerOf(outcome, given ?? 'yes');
  return { ...answer, was_disputed, rules_changed, market_at_close_1d };
}

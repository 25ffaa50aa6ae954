import { z } from 'zod';
import { trackRecordRowShape } from '../../../contract/track-record.js';
import { councilModels } from '../../../council/models.js';
import { scaledToOne } from '../../../council/numbers.js';
import type { GradableRow, Numbers } from '../../../record/regrading/gradable-row.js';
import { fromCells } from './cells.js';
import { entriesOf, type FileRow, parseRow, type RowFile } from './file-rows.js';

/** Whether a row is one of the export of a track record, or the document that holds them. */
export function isTrackRecord(first: RowFile['first']): boolean {
  return 'reports' in first || ('report_id' in first && 'grader' in first && 'outcomes' in first);
}

/** The rows of an export of the track record: as the API sends it, one row a line, or a table with JSON in its cells. */
export function* trackRecordRows(files: readonly RowFile[]): Generator<[GradableRow, FileRow]> {
  for (const file of files) {
    for (const row of file.rows()) {
      const rows = 'reports' in file.first ? entriesOf(row, 'reports') : [row];
      for (const each of rows)
        yield [gradableRow(parseRow(file.isTable ? tableShape : rowShape, each)), each];
    }
  }
}

const { report_id, event_id, state, grader, exclusive, outcomes, scores, resolution, rules_changed } =
  trackRecordRowShape.shape;

const shape = {
  report_id,
  event_id,
  state,
  grader,
  exclusive,
  outcomes: z.array(
    outcomes.unwrap().element.pick({
      name: true,
      market_id: true,
      side: true,
      council: true,
      market: true,
      members: true,
      estimate: true,
    }),
  ),
  scores: scores.unwrap().pick({ council: true }).nullable(),
  resolution: resolution.pick({ outcomes: true }),
  // Exports of release 1.0.0 have none.
  rules_changed: rules_changed.nullable().default(null),
};

const rowShape = z.object(shape);
type ExportedRow = z.output<typeof rowShape>;

const tableShape = fromCells(rowShape, {
  numbers: ['report_id'],
  json: ['exclusive', 'rules_changed', 'outcomes', 'scores', 'resolution'],
});

function gradableRow(row: ExportedRow): GradableRow {
  const { resolution, outcomes, exclusive } = row;
  const fractions = (percentOf: (outcome: ExportedRow['outcomes'][number]) => number | null | undefined) =>
    outcomes.map(outcome => {
      const percent = percentOf(outcome);
      return percent === null || percent === undefined ? null : percent / 100;
    });
  const contested = outcomes.some(
    ({ market_id: market }) => resolution.outcomes[market ?? ''] === 'disputed',
  );
  return {
    id: `report ${row.report_id}`,
    event: row.event_id,
    exclusive,
    outcomes: outcomes.map(({ name, market_id, side }) => ({ name, market_id, side })),
    resolutions: resolution.outcomes,
    paid: halves(resolution.outcomes),
    council: fractions(({ council }) => council),
    market: fractions(({ market }) => market),
    market_at_close_1d: null,
    estimate: fractions(({ estimate }) => estimate),
    members: Object.fromEntries(
      councilModels
        .filter(model => outcomes.some(({ members }) => members[model] !== undefined))
        .map(model => {
          const forecast = fractions(({ members }) => members[model]);
          return [model, exclusive ? scaled(forecast) : forecast];
        }),
    ),
    disputed: row.state === 'disputed' || contested,
    rules_changed: row.rules_changed,
    credits: null,
    old: {
      grader: row.grader,
      state: row.state,
      score: row.scores?.council ?? null,
      resolutions: resolution.outcomes,
    },
  };
}

/** As the service scores members of an exclusive set, whose percents may add up to 100 ± 2. */
function scaled(forecast: Numbers): Numbers {
  const given = forecast.filter(p => p !== null);
  return given.length === forecast.length && given.some(p => p > 0) ? scaledToOne(given) : forecast;
}

function halves(resolutions: GradableRow['resolutions']): Record<string, number> {
  const half = Object.entries(resolutions).filter(([, resolution]) => resolution === 'fifty_fifty');
  return Object.fromEntries(half.map(([market]) => [market, 0.5]));
}

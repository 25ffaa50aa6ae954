import type {
  BatchResultView,
  ForecastSetView,
  ForecastView,
  ResultsFormat,
} from '../../contract/batches/batch-results.js';
import { utcDay } from '../../council/calendar.js';
import type { StoredBatch } from '../../db/batches/batches.js';
import type { ResultRow, ResultsSummary } from '../../db/batches/result-rows.js';

/** The bytes of the results in one format, as pieces of text: the same for the same rows. */
export interface ResultsFile {
  readonly type: string;
  /** The end of its name. */
  readonly extension: string;
  readonly start: string;
  /** @param isFirst whether no row before it had any text */
  readonly row: (row: ResultRow, isFirst: boolean) => string;
  readonly end: string;
}

type Described = Pick<StoredBatch, 'id' | 'name' | 'createdAt'>;

export function resultsFileOf(
  format: ResultsFormat,
  batch: Described,
  summary: Pick<ResultsSummary, 'simulated' | 'methods'>,
): ResultsFile {
  switch (format) {
    case 'ndjson':
      return {
        type: 'application/x-ndjson',
        extension: 'ndjson',
        start: '',
        row: row => `${JSON.stringify(presentResult(row))}\n`,
        end: '',
      };
    case 'csv':
      return {
        type: 'text/csv; charset=utf-8',
        extension: 'csv',
        start: lineOf(columns),
        row: row => lineOf(Object.values(presentResult(row)).map(cellOf)),
        end: '',
      };
    case 'forecastbench':
      return forecastSetFile(batch, summary);
  }
}

/** In the order of the columns. */
function presentResult(row: ResultRow): BatchResultView {
  return {
    event_id: row.eventId,
    venue: row.venue,
    event_title: row.eventTitle,
    report_id: row.reportId,
    state: row.state,
    council: row.council,
    market: row.market,
    estimate: row.estimate,
    confidence: row.confidence,
    degraded: row.degraded,
    conflict: row.conflict,
    record_seq: row.recordSeq,
    credits: row.credits,
  };
}

const columns = [
  'event_id',
  'venue',
  'event_title',
  'report_id',
  'state',
  'council',
  'market',
  'estimate',
  'confidence',
  'degraded',
  'conflict',
  'record_seq',
  'credits',
] as const satisfies readonly (keyof BatchResultView)[];

/** A line of CSV by RFC 4180. */
function lineOf(cells: readonly string[]): string {
  const quoted = cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}

/** Spreadsheets run a cell that begins so, also after white space and in full width. Titles are text of venues. */
const formula = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function cellOf(value: BatchResultView[keyof BatchResultView]): string {
  if (value === null) return '';
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

function forecastSetFile(
  { id, name, createdAt }: Described,
  { simulated, methods }: Pick<ResultsSummary, 'simulated' | 'methods'>,
): ResultsFile {
  const set: ForecastSetView = {
    organization: 'Council Report Service',
    model: ['council of four models', ...methods, ...(simulated ? ['simulated'] : [])].join(', '),
    question_set: name ?? id,
    forecast_due_date: utcDay(createdAt),
    forecasts: [],
  };
  return {
    type: 'application/json',
    extension: 'json',
    start: JSON.stringify(set).slice(0, -']}'.length),
    row: (row, isFirst) => {
      const forecasts = forecastsOf(row).map(forecast => JSON.stringify(forecast));
      return forecasts.length === 0 ? '' : `${isFirst ? '' : ','}\n${forecasts.join(',\n')}`;
    },
    end: '\n]}\n',
  };
}

/** One for YES of each market that has an estimate. */
function forecastsOf({ venue, outcomes, summary }: ResultRow): ForecastView[] {
  return (outcomes ?? []).flatMap(({ market_id, side, estimate }) =>
    market_id === null || side !== 'yes' || estimate === null || venue === null
      ? []
      : [
          {
            id: market_id,
            source: venue,
            forecast: fractionOf(estimate),
            // ForecastBench asks market questions without a date.
            resolution_date: null,
            reasoning: summary ?? '',
          },
        ],
  );
}

/** Moves the point of the decimal number: a division by 100 would add binary noise. */
function fractionOf(percent: number): number {
  return Number(`${percent}e-2`);
}

import { type CanonicalRows, canonicalRows } from '../../../record/regrading/canonical-rows.js';
import type { GradableRow } from '../../../record/regrading/gradable-row.js';
import { badFile, badRow, type FileRow, openRows, type RowFile } from './file-rows.js';
import { forecastTableRows, isForecastTable } from './forecast-table-rows.js';
import { forecastBenchRows, isForecastBench } from './forecastbench-rows.js';
import { isProphetArena, prophetArenaRows } from './prophet-arena-rows.js';
import type { Resolutions } from './read-resolutions.js';
import { batchRows, isBatchResult } from './result-rows.js';
import { isTrackRecord, trackRecordRows } from './track-record-rows.js';

interface Format {
  /** @param first the first row of a file */
  readonly recognises: (first: RowFile['first']) => boolean;
  readonly rows: (files: readonly RowFile[]) => Iterable<readonly [GradableRow, FileRow]>;
  /** Whether two rows of one event and id are a mistake. */
  readonly isUnique: boolean;
}

/** The files that `grade` reads. A name is never recognised by its ending. */
const formats = {
  'track-record': { recognises: isTrackRecord, rows: trackRecordRows, isUnique: true },
  'batch-results': { recognises: isBatchResult, rows: batchRows, isUnique: true },
  forecastbench: { recognises: isForecastBench, rows: forecastBenchRows, isUnique: false },
  'prophet-arena': { recognises: isProphetArena, rows: prophetArenaRows, isUnique: false },
  evaluate: { recognises: isForecastTable, rows: forecastTableRows, isUnique: false },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = [
  'track-record',
  'batch-results',
  'forecastbench',
  'prophet-arena',
  'evaluate',
] as const satisfies readonly FormatName[];

export interface ReadRows {
  readonly format: FormatName;
  readonly rows: CanonicalRows;
}

export interface ReadOptions {
  /** Recognised by the content if it is absent. */
  readonly format?: FormatName | undefined;
  /** What replaces the answers in the files. */
  readonly resolutions?: Resolutions | undefined;
}

/** Reads files of one format. @throws Failure that names the file, and the line and field of a mistake */
export function readGradable(names: readonly string[], { format, resolutions }: ReadOptions): ReadRows {
  const files = names.map(openRows);
  const name = format ?? formatOf(files);
  return { format: name, rows: canonicalRows(readRows(files, formats[name], resolutions)) };
}

function* readRows(
  files: readonly RowFile[],
  { rows, isUnique }: Format,
  resolutions: Resolutions | undefined,
) {
  const known = new Set<string>();
  for (const [row, from] of rows(files)) {
    if (isUnique) {
      const key = `${row.event} ${row.id}`;
      if (known.has(key)) throw badRow(from, [], `${row.id} of the event ${row.event} is in the files twice`);
      known.add(key);
    }
    yield resolutions === undefined ? row : resolutions.applyTo(row);
  }
}

function formatOf(files: readonly RowFile[]): FormatName {
  const found = files.map(file => {
    const name = formatNames.find(each => formats[each].recognises(file.first));
    if (name === undefined) {
      const fields = Object.keys(file.first).slice(0, shownFields).join(', ');
      throw badFile(
        file.name,
        `has the fields ${fields}, which no format begins with; --format names one of ${formatNames.join(', ')}`,
      );
    }
    return { file, name };
  });
  const [first] = found;
  const other = found.find(({ name }) => name !== first?.name);
  if (first === undefined || other !== undefined)
    throw badFile(
      other?.file.name ?? '',
      `is a file of ${other?.name}, and ${first?.file.name} one of ${first?.name}: grade them one after the other`,
    );
  return first.name;
}

const shownFields = 8;

import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { Failure } from '../../terminal/failure.js';
import { lineOfField } from './line-of-field.js';

/** A file of rows, before its format is known. */
export interface RowFile {
  readonly name: string;
  readonly isTable: boolean;
  /** The first row: the document itself if the file is one JSON document. */
  readonly first: Readonly<Record<string, unknown>>;
  /** Reads the rows one at a time, because a file can be larger than what is kept of it. */
  rows(): Iterable<FileRow>;
}

export interface FileRow {
  readonly file: string;
  /** Of the file, from 1: where `text` begins. */
  readonly line: number;
  readonly value: unknown;
  /** The JSON that holds the row, and the way to it: for the line of a mistake. Empty for a row of a table. */
  readonly text: string;
  readonly path: readonly PropertyKey[];
}

/** Opens a CSV table, JSON lines, or a JSON document. @throws Failure that names the file and the line */
export function openRows(name: string): RowFile {
  const isTable = !isJson(name);
  for (const first of rowsOf(name, isTable))
    return { name, isTable, first: parseRow(objectShape, first), rows: () => rowsOf(name, isTable) };
  throw badFile(name, 'has no rows');
}

const objectShape = z.record(z.string(), z.unknown());

/** Parses a row. @throws Failure that names the file, the line and the field of the first mistake */
export function parseRow<Shape extends z.ZodType>(shape: Shape, row: FileRow): z.output<Shape> {
  const parsed = shape.safeParse(row.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRow(row, issue?.path ?? [], issue?.message ?? 'is invalid');
}

/** The entries of a list in a row, as rows. */
export function entriesOf(row: FileRow, field: string): FileRow[] {
  const list = z.object({ [field]: z.array(z.unknown()) });
  return (parseRow(list, row)[field] ?? []).map((value, index) => ({
    ...row,
    value,
    path: [...row.path, field, index],
  }));
}

/** A mistake in a field of a row. */
export function badRow(row: FileRow, path: readonly PropertyKey[], rule: string): Failure {
  const whole = [...row.path, ...path];
  const field = whole.length === 0 ? '' : `, field ${whole.map(String).join('.')}`;
  return badFile(row.file, `line ${row.line + lineOfField(row.text, whole)}${field}: ${rule}`);
}

/** A mistake in a file. */
export function badFile(name: string, rule: string): Failure {
  return new Failure(`${name}, ${rule}.`, {
    next: 'docs/evaluate.md says which files and fields are read.',
  });
}

function rowsOf(name: string, isTable: boolean): Iterable<FileRow> {
  return isTable ? tableRows(name) : jsonRows(name);
}

function isJson(name: string): boolean {
  for (const { text } of linesOf(name)) if (text.trim() !== '') return /^[{[]/.test(text.trim());
  throw badFile(name, 'has no rows');
}

const recordsShape = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

function* tableRows(file: string): Generator<FileRow> {
  for (const { record, info } of recordsOf(file))
    yield { file, line: info.lines, value: record, text: '', path: [] };
}

function recordsOf(file: string): z.output<typeof recordsShape> {
  try {
    const options = { bom: true, trim: true, info: true, columns: true, skip_empty_lines: true } as const;
    return recordsShape.parse(parse(readText(file), options));
  } catch (error) {
    if (error instanceof CsvError) throw badFile(file, `is not a CSV table: ${error.message}`);
    throw error;
  }
}

/** The first line that opens the export of a track record, of which every row has a line of its own. */
const exportOpening = /^\{"reports":\[(?=\{)/;

function* jsonRows(file: string): Generator<FileRow> {
  let [isFirst, isExport] = [true, false];
  for (const { line, text } of linesOf(file)) {
    if (text.trim() === '') continue;
    if (isFirst && jsonOrNull(text) === null) {
      if (!exportOpening.test(text)) return yield* documentRows(file);
      isExport = true;
    }
    const json = isExport ? withoutFrame(text) : text;
    if (json === '') continue;
    const value = jsonOrNull(json);
    if (value === null) throw badFile(file, `line ${line}: is not JSON: ${reasonOf(json)}`);
    if (isFirst && Array.isArray(value)) return yield* documentRows(file);
    isFirst = false;
    yield { file, line, value, text: json, path: [] };
  }
}

function withoutFrame(line: string): string {
  return line.replace(exportOpening, '').replace(/(,|\]\})\s*$/, '');
}

function* documentRows(file: string): Generator<FileRow> {
  const text = readText(file);
  const value = jsonOrNull(text);
  const row = { file, line: 1, text, path: [] };
  if (value === null) throw badFile(file, `line ${lineOfMistake(text)}: is not JSON: ${reasonOf(text)}`);
  if (!Array.isArray(value)) yield { ...row, value };
  else for (const [index, entry] of value.entries()) yield { ...row, value: entry, path: [index] };
}

/** `null` itself is no row. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(text: string): string {
  try {
    JSON.parse(text);
    return 'null';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The parser names a position, or nothing if the text ends too early. */
function lineOfMistake(text: string): number {
  const position = /at position (\d+)/.exec(reasonOf(text))?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}

function readText(name: string): string {
  return [...linesOf(name)].map(({ text }) => text).join('\n');
}

/** Longer strings would be collected late, and fill the memory with what was read. */
const chunkBytes = 1 << 15;

/** The lines of a file, without its byte order mark. */
function* linesOf(name: string): Generator<{ line: number; text: string }> {
  const file = readable(name, () => openSync(name, 'r'));
  try {
    const [chunk, decoder] = [Buffer.alloc(chunkBytes), new StringDecoder('utf8')];
    let [rest, line] = ['', 0];
    for (;;) {
      const size = readable(name, () => readSync(file, chunk));
      const lines = (rest + (size === 0 ? decoder.end() : decoder.write(chunk.subarray(0, size)))).split(
        '\n',
      );
      rest = size === 0 ? '' : (lines.pop() ?? '');
      for (const text of lines) {
        line += 1;
        yield { line, text: line === 1 ? text.replace(/^\uFEFF/, '') : text };
      }
      if (size === 0) return;
    }
  } finally {
    closeSync(file);
  }
}

function readable<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Failure(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      next: 'Name a file that this user may read.',
      cause: error,
    });
  }
}

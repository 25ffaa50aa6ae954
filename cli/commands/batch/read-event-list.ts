import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { eventIdParameter } from '../../../contract/events.js';
import { venues } from '../../../council/event.js';
import { parseEventName } from '../../../markets/event-name.js';
import { batchRowsMax } from '../../../purchase/limits.js';
import { exitCodes, Failure } from '../../terminal/failure.js';
import { parseJson, parseQuestionSet, type Question } from './question-set.js';

/** An event and its place in the file, as messages name it. */
export interface ListedEvent {
  readonly place: string;
  /** As it is written. */
  readonly eventId: string;
  /** One name an event: `polymarket:123` is `123`, and tickers of Kalshi have no letter case. */
  readonly name: string;
}

type Entry = Omit<ListedEvent, 'name'>;

/** What a file lists: events, or questions whose events must be looked up. */
export type EventList =
  | { readonly kind: 'events'; readonly events: readonly ListedEvent[] }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

/**
 * Reads a list of events, recognised by its content: a ForecastBench question set, NDJSON or CSV with `event_id`, or one
 * id a line, where `#` begins a comment. Each event is there once.
 *
 * @throws Failure that names the first bad line, or both lines of an event that is there twice: none is skipped silently
 */
export function readEventList(text: string): EventList {
  const content = text.replace(/^\uFEFF/, '');
  const start = content.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const questions = parseQuestionSet(content);
    return questions === null ? listOf(readNdjson(content)) : { kind: 'questions', questions };
  }
  const [first] = plainLines(content);
  return listOf(isHeader(first?.text ?? '') ? readCsv(content) : readPlain(content));
}

/** @throws Failure if a batch cannot have so many rows, or none is left */
export function checkCount(count: number): void {
  if (count === 0) throw badFile('The file names no event to buy a report on.');
  if (count <= batchRowsMax) return;
  throw badFile(`The file names ${count} events; a batch has at most ${batchRowsMax}. Split the file.`);
}

function listOf(entries: readonly Entry[]): EventList {
  const places = new Map<string, string>();
  const events = entries.map(entry => ({ ...entry, name: nameOf(entry) }));
  for (const { place, eventId, name } of events) {
    const earlier = places.get(name);
    if (earlier !== undefined)
      throw badFile(`${capitalised(place)} names the event of ${earlier} again: ${eventId}.`);
    places.set(name, place);
  }
  checkCount(events.length);
  return { kind: 'events', events };
}

function nameOf({ eventId, place }: Entry): string {
  const name = eventIdParameter.safeParse(eventId).success ? parseEventName(eventId, venues) : null;
  if (name !== null) return name.name;
  throw badFile(`${capitalised(place)} is no id of an event: ${eventId.slice(0, shownChars)}`);
}

const shownChars = 100;

/** Lines of one id each, without comments and empty ones. */
function readPlain(content: string): Entry[] {
  return plainLines(content).map(({ text, number }) => ({ place: `line ${number}`, eventId: text }));
}

interface Line {
  readonly number: number;
  readonly text: string;
}

function plainLines(content: string): readonly Line[] {
  return numbered(content)
    .map(({ text, number }) => ({ number, text: text.replace(/(^|\s)#.*/, '').trim() }))
    .filter(({ text }) => text !== '');
}

function numbered(content: string): Line[] {
  return content.split(/\r?\n/).map((text, index) => ({ number: index + 1, text }));
}

function readNdjson(content: string): Entry[] {
  return numbered(content)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, number }) => {
      const place = `line ${number}`;
      const row = rowShape.safeParse(parseJson(text));
      if (row.success) return { place, eventId: row.data.event_id };
      throw badFile(`${capitalised(place)} is no JSON object with a text \`event_id\`.`);
    });
}

const rowShape = z.object({ event_id: z.string() });

const idColumn = 'event_id';

function isHeader(line: string): boolean {
  return line.includes(',') || line.replaceAll('"', '') === idColumn;
}

const recordsShape = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }),
);

function readCsv(content: string): Entry[] {
  const [header, ...records] = parseCsv(content);
  const column = header?.record.indexOf(idColumn) ?? -1;
  if (column < 0) {
    const names = header?.record.join(',').slice(0, shownChars);
    throw badFile(`Line ${header?.info.lines} is a header without a column ${idColumn}: ${names}`);
  }
  return records.map(({ record, info }) => ({ place: `line ${info.lines}`, eventId: record[column] ?? '' }));
}

function parseCsv(content: string): z.infer<typeof recordsShape> {
  try {
    return recordsShape.parse(parse(content, { trim: true, info: true, skip_empty_lines: true }));
  } catch (error) {
    if (error instanceof CsvError) throw badFile(`The file is not a CSV table: ${error.message}.`);
    throw error;
  }
}

/** A mistake in the file, found before anything is bought. */
function badFile(message: string): Failure {
  return new Failure(message, { next: 'Nothing was bought. Correct the file.', exitCode: exitCodes.usage });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

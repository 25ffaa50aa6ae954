/** The ids in a text, each once and in order, or why it has none. */
export type EventIds =
  | { readonly ids: readonly string[]; readonly problem: null }
  | { readonly ids: null; readonly problem: string };

const column = 'event_id';

/**
 * Reads the ids of events: one a line, CSV with a column `event_id`, or NDJSON whose objects have an `event_id`. What it
 * is shows in its first line.
 */
export function readEventIds(text: string): EventIds {
  const content = text.replace(/^\uFEFF/, '').trim();
  if (content === '') return none('There is no event in it.');
  if (content.startsWith('{')) return idsOf(content.split(/\r?\n/).map(idInJson));
  const [head = [], ...records] = csvRecords(content);
  const place = head.findIndex(name => name.trim() === column);
  if (place !== -1) return idsOf(records.map(record => record[place] ?? null));
  const lines = content.split(/\r?\n/);
  const spaced = lines.findIndex(line => /[\s,;]/.test(line.trim()));
  return spaced === -1
    ? idsOf(lines)
    : none(
        `Line ${spaced + 1} is not one id. Write one on each line, or begin with a row that names ${column}.`,
      );
}

function none(problem: string): EventIds {
  return { ids: null, problem };
}

/** @param found null where a line has no id */
function idsOf(found: readonly (string | null)[]): EventIds {
  const missing = found.indexOf(null);
  if (missing !== -1) return none(`Record ${missing + 1} has no ${column}.`);
  const ids = new Set(found.map(id => id?.trim() ?? '').filter(id => id !== ''));
  return ids.size === 0 ? none('There is no event in it.') : { ids: [...ids], problem: null };
}

/** Null without an id, empty for an empty line. */
function idInJson(line: string): string | null {
  if (line.trim() === '') return '';
  try {
    const value: unknown = JSON.parse(line);
    const hasId = typeof value === 'object' && value !== null && column in value;
    return hasId && typeof value[column] === 'string' ? value[column] : null;
  } catch {
    return null;
  }
}

/** The records of a CSV file (RFC 4180). Lines without anything are left out. */
function csvRecords(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
    if (end !== ',') records.push([]);
  }
  return records.filter(record => record.some(field => field !== ''));
}

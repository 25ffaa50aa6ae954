import { z } from 'zod';
import { compareText } from '../../../council/text.js';
import { answerOf, outcomesOf, withAnswers } from '../../../record/regrading/answers.js';
import type { GradableRow, Numbers } from '../../../record/regrading/gradable-row.js';
import { badFile, badRow, type FileRow, parseRow, type RowFile } from './file-rows.js';
import { pooledMembers } from './pooled-members.js';

/** Whether a row is an event or a cell of Prophet Arena. */
export function isProphetArena(first: RowFile['first']): boolean {
  return isCell(first) || isEvent(first);
}

function isCell(first: RowFile['first']): boolean {
  return 'agent' in first && 'probabilities' in first;
}

function isEvent(first: RowFile['first']): boolean {
  return 'slug' in first && 'outcomes' in first;
}

/**
 * A row an event and window. Each agent with a cell is a member. The events, which a data set lists in `events.jsonl`, say which
 * of them are exclusive, and what they were priced at a day before they closed; without them each outcome is a question of
 * its own.
 */
export function* prophetArenaRows(files: readonly RowFile[]): Generator<[GradableRow, FileRow]> {
  const events = readEvents(files.filter(({ first }) => isEvent(first)));
  const cellFiles = files.filter(({ first }) => isCell(first));
  const [file] = files;
  if (file !== undefined && cellFiles.length === 0)
    throw badFile(file.name, 'has events without forecasts: name a file of cells too');
  for (const window of readWindows(cellFiles).values())
    yield [gradableRow(window, events.get(window.event) ?? null), window.from];
}

const fraction = z.number().min(0).max(1);
const fractions = z.record(z.string(), fraction);
const resolution = z.enum(['yes', 'no', 'void', 'pending']);
type ArenaResolution = z.output<typeof resolution>;

const cellShape = z.object({
  agent: z.string().min(1),
  event: z.string().min(1),
  window: z.int(),
  probabilities: fractions,
  resolutions: z.record(z.string(), resolution).default({}),
  crowd: fractions.nullable().default(null),
});

const instant = z.iso.datetime({ offset: true }).transform(text => Date.parse(text));

const eventShape = z.object({
  slug: z.string().min(1),
  mutually_exclusive: z.boolean().default(false),
  close_at: instant.nullable().default(null),
  outcomes: z.array(z.object({ name: z.string().min(1), resolution: resolution.default('pending') })),
  windows: z
    .array(
      z.object({
        round: z.int(),
        taken_at: instant.nullable().default(null),
        crowd: fractions.nullable().default(null),
      }),
    )
    .default([]),
});
type ArenaEvent = z.output<typeof eventShape>;

function readEvents(files: readonly RowFile[]): ReadonlyMap<string, ArenaEvent> {
  const events = new Map<string, ArenaEvent>();
  for (const file of files) {
    for (const row of file.rows()) {
      const event = parseRow(eventShape, row);
      if (events.has(event.slug))
        throw badRow(row, ['slug'], `the event ${event.slug} stands in the files twice`);
      events.set(event.slug, event);
    }
  }
  return events;
}

interface Window {
  readonly event: string;
  readonly window: number;
  readonly from: FileRow;
  readonly agents: Map<string, Readonly<Record<string, number>>>;
  readonly resolutions: Map<string, ArenaResolution>;
  readonly crowd: Map<string, number>;
}

function readWindows(files: readonly RowFile[]): ReadonlyMap<string, Window> {
  const windows = new Map<string, Window>();
  for (const file of files) {
    for (const from of file.rows()) {
      const cell = parseRow(cellShape, from);
      const { event, window } = cell;
      const key = JSON.stringify([event, window]);
      const empty = { event, window, from, agents: new Map(), resolutions: new Map(), crowd: new Map() };
      const known = windows.get(key) ?? empty;
      if (known.agents.has(cell.agent))
        throw badRow(from, ['agent'], `${cell.agent} has already forecast window ${window} of ${event}`);
      known.agents.set(cell.agent, cell.probabilities);
      take(known.resolutions, cell.resolutions, from, 'resolutions');
      take(known.crowd, cell.crowd ?? {}, from, 'crowd');
      windows.set(key, known);
    }
  }
  return windows;
}

/** What cells of one window say of the event must be the same. */
function take<Value>(
  known: Map<string, Value>,
  given: Readonly<Record<string, Value>>,
  from: FileRow,
  field: string,
): void {
  for (const [name, value] of Object.entries(given)) {
    if ((known.get(name) ?? value) !== value)
      throw badRow(from, [field, name], 'contradicts another cell of the same window');
    known.set(name, value);
  }
}

function gradableRow(
  { event, window, agents, resolutions, crowd }: Window,
  listed: ArenaEvent | null,
): GradableRow {
  const exclusive = listed?.mutually_exclusive ?? false;
  const names = listed?.outcomes.map(({ name }) => name) ?? forecastNames(agents);
  const numbers = (of: Readonly<Record<string, number>>): Numbers => names.map(name => of[name] ?? null);
  const members = Object.fromEntries([...agents].map(([agent, of]) => [agent, numbers(of)]));
  const shown = crowd.size > 0 ? Object.fromEntries(crowd) : crowdOf(listed, window);
  const closing = closingCrowd(listed);
  const row: GradableRow = {
    id: `window ${window}`,
    event,
    exclusive,
    outcomes: outcomesOf(names, exclusive),
    resolutions: {},
    paid: {},
    council: pooledMembers(Object.values(members), exclusive),
    market: shown && numbers(shown),
    market_at_close_1d: closing && numbers(closing),
    estimate: null,
    members,
    disputed: null,
    rules_changed: null,
    credits: null,
    old: null,
  };
  return withAnswers(row, answersOf(row, resolutions, listed));
}

function forecastNames(agents: Window['agents']): string[] {
  const names = new Set([...agents.values()].flatMap(of => Object.keys(of)));
  return [...names].sort(compareText);
}

function answersOf(row: GradableRow, resolutions: Window['resolutions'], listed: ArenaEvent | null) {
  return row.outcomes.map(({ name }) => {
    const known =
      resolutions.get(name) ?? listed?.outcomes.find(outcome => outcome.name === name)?.resolution;
    return answerOf(name, known === undefined || known === 'pending' ? 'unresolved' : known);
  });
}

function crowdOf(listed: ArenaEvent | null, window: number): Readonly<Record<string, number>> | null {
  return listed?.windows.find(({ round }) => round === window)?.crowd ?? null;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The crowd of the last window that was taken a day or more before the event closed. */
function closingCrowd(listed: ArenaEvent | null): Readonly<Record<string, number>> | null {
  const closeAt = listed?.close_at ?? null;
  if (listed === null || closeAt === null) return null;
  const early = listed.windows.flatMap(({ taken_at: takenAt, crowd }) =>
    takenAt !== null && crowd !== null && takenAt <= closeAt - dayMs ? [{ takenAt, crowd }] : [],
  );
  return early.toSorted((a, b) => b.takenAt - a.takenAt)[0]?.crowd ?? null;
}

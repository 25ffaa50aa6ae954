import { z } from 'zod';
import {
  type Answer,
  answerByShare,
  answerOf,
  outcomesOf,
  withAnswers,
} from '../../../record/regrading/answers.js';
import type { GradableRow } from '../../../record/regrading/gradable-row.js';
import { badFile, badRow, entriesOf, type FileRow, parseRow, type RowFile } from './file-rows.js';
import { pooledMembers } from './pooled-members.js';

/** Whether a document is a question set, forecast set or resolution set of ForecastBench. */
export function isForecastBench(first: RowFile['first']): boolean {
  return ['questions', 'forecasts', 'resolutions'].some(field => Array.isArray(first[field]));
}

/**
 * A row a question, direction and resolution date that somebody has forecast. Each forecast set is a member. The question set
 * is needed for prices only.
 */
export function* forecastBenchRows(files: readonly RowFile[]): Generator<[GradableRow, FileRow]> {
  const documents = files.flatMap(file => [...file.rows()]);
  const having = (field: string) => documents.filter(({ value }) => hasList(value, field));
  const [forecastSets, resolutionSets] = [having('forecasts'), having('resolutions')];
  const [file] = files;
  if (file !== undefined && (forecastSets.length === 0 || resolutionSets.length === 0))
    throw badFile(file.name, 'needs a forecast set and a resolution set beside it to be graded');
  const prices = readPrices(having('questions'));
  const asked = readForecasts(forecastSets);
  readResolutions(resolutionSets, asked);
  for (const question of asked.values())
    yield [gradableRow(question, prices.get(question.priceKey) ?? null), question.from];
}

function hasList(value: unknown, field: string): boolean {
  return z.object({ [field]: z.array(z.unknown()) }).safeParse(value).success;
}

/** What a set says of all its entries. */
const setShape = z.object({ forecast_due_date: z.string().nullable().default(null) });

/** A question, or several of which an answer is asked together. */
const idShape = z.union([z.string().min(1), z.array(z.string()).min(1)]);

const entryShape = z.object({
  id: idShape,
  source: z.string().min(1),
  direction: z.array(z.number()).nullable().default(null),
  resolution_date: z.string().nullable().default(null),
});

type Entry = z.output<typeof entryShape>;

/** The sources whose questions are markets: their freeze value is a price, and their forecasts have no date. */
const marketSources: ReadonlySet<string> = new Set([
  'infer',
  'kalshi',
  'manifold',
  'metaculus',
  'polymarket',
]);

interface AskedQuestion {
  readonly event: string;
  readonly name: string;
  readonly priceKey: string;
  readonly members: Map<string, number>;
  readonly from: FileRow;
  answer: Answer | null;
}

const questionShape = z.object({
  id: idShape,
  source: z.string().min(1),
  freeze_datetime_value: z.union([z.string(), z.number()]).nullable().default(null),
});

function readPrices(sets: readonly FileRow[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const set of sets) {
    const due = parseRow(setShape, set).forecast_due_date;
    for (const entry of entriesOf(set, 'questions')) {
      const { id, source, freeze_datetime_value: value } = parseRow(questionShape, entry);
      const price = value === null || value === '' ? Number.NaN : Number(value);
      if (marketSources.has(source) && price >= 0 && price <= 1) prices.set(keyOf([due, source, id]), price);
    }
  }
  return prices;
}

const forecastShape = entryShape.extend({ forecast: z.number().min(0).max(1).nullable() });
const memberShape = z.object({ organization: z.string().nullable().default(null), model: z.string().min(1) });

function readForecasts(sets: readonly FileRow[]): Map<string, AskedQuestion> {
  const asked = new Map<string, AskedQuestion>();
  for (const set of sets) {
    const due = parseRow(setShape, set).forecast_due_date;
    const { organization, model } = parseRow(memberShape, set);
    const member = organization === null ? model : `${organization}: ${model}`;
    for (const from of entriesOf(set, 'forecasts')) {
      const { forecast, ...entry } = parseRow(forecastShape, from);
      if (forecast === null) continue;
      const question = questionOf(asked, due, entry, from);
      if (question.members.has(member))
        throw badRow(from, ['id'], `${member} has already forecast ${question.name}`);
      question.members.set(member, forecast);
    }
  }
  return asked;
}

function questionOf(
  asked: Map<string, AskedQuestion>,
  due: string | null,
  entry: Entry,
  from: FileRow,
): AskedQuestion {
  const key = questionKey(due, entry);
  const known = asked.get(key);
  if (known !== undefined) return known;
  const { id, source, direction, resolution_date: date } = entry;
  const names = typeof id === 'string' ? [id] : id;
  const question: AskedQuestion = {
    event: `${source} ${names.join(' and ')}`,
    name: [...(direction ?? []), due ?? '', marketSources.has(source) ? '' : (date ?? '')]
      .filter(part => part !== '')
      .join(' '),
    priceKey: keyOf([due, source, id]),
    members: new Map(),
    from,
    answer: null,
  };
  asked.set(key, question);
  return question;
}

const resolutionShape = entryShape.extend({
  resolved_to: z.number().min(0).max(1).nullable(),
  resolved: z.boolean(),
});

/** What nobody has forecast is passed over. */
function readResolutions(sets: readonly FileRow[], asked: ReadonlyMap<string, AskedQuestion>): void {
  for (const set of sets) {
    const due = parseRow(setShape, set).forecast_due_date;
    for (const from of entriesOf(set, 'resolutions')) {
      const entry = parseRow(resolutionShape, from);
      const question = asked.get(questionKey(due, entry));
      if (question === undefined) continue;
      const answer = answerTo(entry);
      const known = question.answer?.resolution ?? 'unresolved';
      if (answer.resolution === 'unresolved') continue;
      if (known !== 'unresolved' && known !== answer.resolution)
        throw badRow(from, ['resolved_to'], 'contradicts an earlier entry of the same question');
      question.answer = answer;
    }
  }
}

/** An open market stands with its price, which is no answer. */
function answerTo({ resolved, resolved_to: value }: z.output<typeof resolutionShape>): Answer {
  if (!resolved) return answerOf(yes, 'unresolved');
  return value === null ? answerOf(yes, 'void') : answerByShare(yes, value);
}

function questionKey(due: string | null, { id, source, direction, resolution_date: date }: Entry): string {
  const on = marketSources.has(source) ? null : (date?.slice(0, dayChars) ?? null);
  return keyOf([due, source, id, direction === null || direction.length === 0 ? null : direction, on]);
}

/** Of `2031-03-05`, in what may be a date and a time. */
const dayChars = 10;

function keyOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

const yes = 'Yes';

function gradableRow({ event, name, members, answer }: AskedQuestion, price: number | null): GradableRow {
  const row: GradableRow = {
    id: name,
    event,
    exclusive: false,
    outcomes: outcomesOf([yes], false),
    resolutions: {},
    paid: {},
    council: pooledMembers(
      [...members.values()].map(p => [p]),
      false,
    ),
    market: price === null ? null : [price],
    market_at_close_1d: null,
    estimate: null,
    members: Object.fromEntries([...members].map(([member, p]) => [member, [p]])),
    disputed: null,
    rules_changed: null,
    credits: null,
    old: null,
  };
  return answer === null ? row : withAnswers(row, [answer]);
}

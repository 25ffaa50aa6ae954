import { z } from 'zod';
import { CouncilProblem } from '../../../client/council-problem.js';
import { withRetries } from '../../../client/retries.js';
import type { EventView } from '../../../contract/events.js';
import { kalshiEventId } from '../../../markets/event-name.js';
import type { CouncilApi } from '../../connections/council-api.js';
import { exitCodes, Failure } from '../../terminal/failure.js';

/** A question of a ForecastBench question set. */
export interface Question {
  /** Its place among the questions, as messages name it. */
  readonly place: string;
  /** Of its source: the condition of a market at Polymarket, the ticker of one at Kalshi; two for a combination. */
  readonly id: string;
  readonly source: string;
  readonly question: string;
  readonly url: string;
  readonly isCombination: boolean;
}

/** A question that the batch leaves out, and why. */
export interface RefusedQuestion {
  readonly place: string;
  readonly id: string;
  readonly source: string;
  readonly reason: string;
}

/** The events of questions, each once, and the questions without one. */
export interface QuestionEvents {
  readonly eventIds: readonly string[];
  readonly refused: readonly RefusedQuestion[];
}

const questionShape = z.object({
  id: z.union([z.string(), z.array(z.string())]),
  source: z.string(),
  question: z.string().default(''),
  url: z.string().default(''),
});
const setShape = z.object({ questions: z.array(z.unknown()) });

/**
 * Reads a question set of ForecastBench.
 * @returns null for any other text
 * @throws Failure that names the first bad question
 */
export function parseQuestionSet(text: string): readonly Question[] | null {
  const set = setShape.safeParse(parseJson(text));
  if (!set.success) return null;
  return set.data.questions.map((value, index) => {
    const place = `question ${index + 1}`;
    const parsed = questionShape.safeParse(value);
    if (!parsed.success) {
      throw new Failure(`Question ${index + 1} of the question set has no \`id\` and \`source\`.`, {
        next: 'Nothing was bought. Correct the file.',
        exitCode: exitCodes.usage,
      });
    }
    const { id, ...question } = parsed.data;
    return { ...question, place, id: [id].flat().join(' and '), isCombination: Array.isArray(id) };
  });
}

/** Undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Looks up the events whose markets the questions ask about, a few at a time. Questions of one event share it: its report
 * answers all of them.
 *
 * @param show how many have been looked up
 */
export async function findQuestionEvents(
  api: CouncilApi,
  questions: readonly Question[],
  show: (done: number) => void,
): Promise<QuestionEvents> {
  const events = new Set<string>();
  const refused: RefusedQuestion[] = [];
  for (let start = 0; start < questions.length; start += lookupsAtOnce) {
    const part = questions.slice(start, start + lookupsAtOnce);
    for (const found of await Promise.all(part.map(question => findQuestionEvent(api, question)))) {
      if (typeof found === 'string') events.add(found);
      else refused.push(found);
    }
    show(start + part.length);
  }
  return { eventIds: [...events], refused };
}

const lookupsAtOnce = 4;

async function findQuestionEvent(api: CouncilApi, question: Question): Promise<string | RefusedQuestion> {
  const { place, id, source } = question;
  const refuse = (reason: string) => ({ place, id, source, reason });
  if (question.isCombination) return refuse('a combination of two questions is no market');
  switch (source) {
    case 'polymarket': {
      const page = marketPage(question.url);
      if (page === null) return refuse('`url` is no page of a market at polymarket.com');
      const found = await findPolymarketEvent(api, page, question.question);
      return found?.event_id ?? refuse(`no event of the service has the market ${page.market}`);
    }
    case 'kalshi':
      return (
        (await findKalshiEvent(api, id))?.event_id ?? refuse(`no event of the service has the market ${id}`)
      );
    default:
      return refuse(`the service sells no reports on questions of ${source}`);
  }
}

interface MarketPage {
  readonly event: string;
  readonly market: string;
}

/** Reads `polymarket.com/market/MARKET`, which names no event but often has its slug, or `/event/EVENT/MARKET`. */
function marketPage(url: string): MarketPage | null {
  const page = /^https:\/\/(?:www\.)?polymarket\.com\/(?:market|event)\/([^/?#]+)(?:\/([^/?#]+))?/.exec(url);
  const [, event = '', market = event] = page ?? [];
  return event === '' ? null : { event, market };
}

const searchMaxChars = 200;
const searchedEvents = 20;

/** Events that are not named by the page are found by the words of the question. */
async function findPolymarketEvent(
  api: CouncilApi,
  { event, market }: MarketPage,
  question: string,
): Promise<EventView | null> {
  const named = await readEvent(api, `polymarket:${event}`);
  if (named !== null && hasMarket(named, market)) return named;
  const search = question.trim().slice(0, searchMaxChars).trim();
  if (search === '') return null;
  const query = { search, venue: 'polymarket', status: 'all', per_page: searchedEvents } as const;
  const { events, unavailable } = await lookUp(() => api.events.search(query));
  if (unavailable.includes('polymarket')) {
    throw new Failure('Polymarket does not answer the search for the events of the questions.', {
      next: 'Nothing was bought. Try again later.',
    });
  }
  return events.find(found => hasMarket(found, market)) ?? null;
}

/** The ticker of a market is that of its event with one more part, or the same. */
async function findKalshiEvent(api: CouncilApi, ticker: string): Promise<EventView | null> {
  for (const name of new Set([ticker.replace(/-[^-]*$/, ''), ticker])) {
    const event = await readEvent(api, kalshiEventId(name));
    if (event !== null && hasMarket(event, ticker)) return event;
  }
  return null;
}

function hasMarket({ markets }: EventView, slug: string): boolean {
  return markets.some(market => market.slug.toLowerCase() === slug.toLowerCase());
}

async function readEvent(api: CouncilApi, name: string): Promise<EventView | null> {
  try {
    return await lookUp(() => api.events.get(name));
  } catch (error) {
    const isUnknown =
      error instanceof CouncilProblem &&
      ['event_not_found', 'invalid_request', 'not_found'].includes(error.code);
    if (isUnknown) return null;
    throw error;
  }
}

const lookupsWithinSeconds = 60;

/** Many lookups in a row may meet a limit that passes. */
function lookUp<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  return withRetries(send, { isRepeatable: true, withinSeconds: lookupsWithinSeconds });
}

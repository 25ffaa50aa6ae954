import { createHash } from 'node:crypto';
import { type ConcludeInput, conclude } from '../../council/conclusion/conclude.js';
import type { Synthesis } from '../../council/deliberation/stages.js';
import type { MarketEvent } from '../../council/event.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { queriedMarket } from '../../council/market/prices.js';
import { currentMethod } from '../../council/method.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { opinionPromptsText } from '../../council/prompts/opinion-prompt.js';
import type { EstimateWeights } from '../../council/report.js';
import { freezeForecast } from '../../council/track-record/recorded-forecast.js';
import type { PastReport } from '../../db/track-record/past-reports.js';
import { parseGammaEvent } from '../../markets/gamma/parse-gamma-event.js';
import { resolvedSamples } from '../../markets/sample/resolved/resolved-samples.js';
import { simulateCouncil } from './simulate-council.js';

/** What the simulated service has besides its events. */
export interface SampleService {
  readonly modelIds: Readonly<Record<CouncilModel, string>>;
  readonly weights: EstimateWeights;
}

/**
 * The reports of the sample record, oldest first: what a council of simulated members would have reported on the
 * resolved sample events, at each of their moments. Everything is computed as for any report; only the time, and the
 * models, are not real. The outcomes are no input. The same code and weights give the same reports.
 */
export function sampleReports(service: SampleService): PastReport[] {
  return resolvedSamples
    .flatMap(({ ended, moments }) =>
      moments.map(({ at, event }) => reportOn(parsed(event), { ...service, at, ended: parsed(ended) })),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

interface Occasion extends SampleService {
  readonly at: string;
  readonly ended: MarketEvent;
}

function reportOn(event: MarketEvent, { at, ended, modelIds, weights }: Occasion): PastReport {
  const seed = `${event.eventId} ${at}`;
  const brief = { event, set: outcomeSet(event, currentMethod), asOf: at, seed };
  const queried = queriedMarket(event, currentMethod);
  if (queried === null) throw new Error(`${event.eventId} has no market to trade`);
  const { opinions, reviews, chairman, synthesis } = simulateCouncil(brief);
  const input: ConcludeInput = {
    method: currentMethod,
    weights,
    event,
    pricesAt: at,
    quoteAgeSeconds: 0,
    queriedMarket: queried.name,
    opinions,
    reviews,
    evidence: null,
    dropouts: [],
    chairman,
    simulated: true,
  };
  const conclusion = conclude(input);
  const promptsText = opinionPromptsText(councilModels, brief, () => null);
  const promptSha256 = createHash('sha256').update(promptsText, 'utf8').digest('hex');
  return {
    event,
    ended,
    at: new Date(at),
    seed,
    queriedMarket: queried.name,
    answers: [
      ...councilModels.map(model => ({ stage: 'opinions' as const, model, answer: opinions[model] })),
      ...councilModels.map(model => ({ stage: 'cross_review' as const, model, answer: reviews[model] })),
      { stage: 'synthesis' as const, model: chairman, answer: labelled(synthesis, at) },
    ].map(each => ({ ...each, modelId: modelIds[each.model] })),
    conclusion,
    freeze: reportId =>
      freezeForecast({
        reportId,
        input,
        conclusion,
        modelIds: inStoredOrder(modelIds),
        promptSha256,
        completedAt: at,
      }),
  };
}

/** By name, as answers are read back from the database: the bytes of the forecast depend on it. */
function inStoredOrder(modelIds: SampleService['modelIds']): Readonly<Partial<SampleService['modelIds']>> {
  return Object.fromEntries([...councilModels].sort().map(model => [model, modelIds[model]]));
}

/** The summary is shown wherever a report is, and is the place to say that its time is not real. */
function labelled(synthesis: Synthesis, at: string): Synthesis {
  const day = at.slice(0, 'YYYY-MM-DD'.length);
  const label = `From the sample record: written when this service first started, as if on ${day}.`;
  return { ...synthesis, summary: `${label} ${synthesis.summary}` };
}

function parsed(raw: unknown): MarketEvent {
  const event = parseGammaEvent(raw, 'sample');
  if (event === null) throw new Error('a sample event cannot be read');
  return event;
}

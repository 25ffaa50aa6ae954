import { type ConcludeInput, conclude } from '../../council/conclusion/conclude.js';
import type { Synthesis } from '../../council/deliberation/stages.js';
import type { WeightsInForce } from '../../council/estimate/weights.js';
import type { MarketEvent } from '../../council/event.js';
import { packOf } from '../../council/evidence/assemble-evidence.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { queriedMarket } from '../../council/market/prices.js';
import { method } from '../../council/method.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { opinionPromptsText } from '../../council/prompts/opinion-prompt.js';
import { hashedEvidence, textSha256 } from '../../db/digests.js';
import type { PastReport } from '../../db/track-record/past-reports.js';
import { parseGammaEvent } from '../../markets/polymarket/parse-gamma-event.js';
import { freezeForecast } from '../../record/recorded-forecast.js';
import { resolvedSamples } from '../events/resolved-samples.js';
import { type SimulatedCouncil, simulateCouncil } from './simulate-council.js';

/** What the simulated service has besides its events. */
export interface SampleService {
  readonly modelIds: Readonly<Record<CouncilModel, string>>;
  /** The members that search the web. */
  readonly searchers: readonly CouncilModel[];
  readonly weights: WeightsInForce;
}

/**
 * The reports of the sample record, oldest first: what a council of simulated members would have reported on the
 * resolved sample events, at each of their moments. Everything is computed as for any report; only the time, and the
 * models, are not real. The outcomes are no input. The same code and weights give the same reports.
 */
export function sampleReports(service: SampleService): PastReport[] {
  return resolvedSamples
    .flatMap(({ ended, moments }, index) => {
      const searchers = index % unsearchedEvery === 0 ? null : service.searchers;
      return moments.map(({ at, event }) =>
        reportOn(parsed(event), { ...service, searchers, at, ended: parsed(ended) }),
      );
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** On every third event, nobody searches, so that the track record has reports of both kinds to compare. */
const unsearchedEvery = 3;

interface Occasion extends Omit<SampleService, 'searchers'> {
  /** Null if nobody searches. */
  readonly searchers: readonly CouncilModel[] | null;
  readonly at: string;
  readonly ended: MarketEvent;
}

function reportOn(event: MarketEvent, { at, ended, modelIds, searchers, weights }: Occasion): PastReport {
  const seed = `${event.eventId} ${at}`;
  const brief = { event, set: outcomeSet(event), asOf: new Date(at).toISOString(), seed };
  const queried = queriedMarket(event);
  if (queried === null) throw new Error(`${event.eventId} has no market to trade`);
  const council = simulateCouncil({ ...brief, searchers });
  const { found, opinions, reviews, chairman } = council;
  const input: ConcludeInput = {
    method: method.name,
    weights,
    event,
    pricesAt: at,
    quoteAgeSeconds: 0,
    queriedMarket: queried.name,
    opinions,
    reviews,
    evidence: found && hashedEvidence(found.evidence),
    dropouts: [],
    chairman,
    simulated: true,
  };
  const conclusion = conclude(input);
  const informed = { ...brief, notFound: found?.evidence.not_found };
  const promptSha256 = textSha256(
    opinionPromptsText(councilModels, informed, model => found && packOf(found, model)),
  );
  return {
    event,
    ended,
    at: new Date(at),
    seed,
    queriedMarket: queried.name,
    answers: answersOf(council, at).map(each => ({ ...each, modelId: modelIds[each.model] })),
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

function answersOf(council: SimulatedCouncil, at: string) {
  const { research, opinions, reviews, chairman, synthesis, explainer, marketGap } = council;
  return [
    ...councilModels.flatMap(model => {
      const answer = research[model];
      return answer === undefined ? [] : [{ stage: 'research' as const, model, answer }];
    }),
    ...councilModels.map(model => ({ stage: 'opinions' as const, model, answer: opinions[model] })),
    ...councilModels.map(model => ({ stage: 'cross_review' as const, model, answer: reviews[model] })),
    { stage: 'synthesis' as const, model: chairman, answer: labelled(synthesis, at) },
    ...(marketGap === null ? [] : [{ stage: 'market_gap' as const, model: explainer, answer: marketGap }]),
  ];
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

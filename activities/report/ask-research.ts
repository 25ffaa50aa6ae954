import { log } from '@temporalio/activity';
import { blockedHosts } from '../../council/evidence/denied-hosts.js';
import { type Research, visibleResearch } from '../../council/evidence/research.js';
import type { CouncilModel } from '../../council/models.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import { researchPrompt } from '../../council/prompts/research-prompt.js';
import { saveStageResult } from '../../db/reports/run.js';
import type { SearchAnswer } from '../../providers/model-provider.js';
import { searchesMax } from '../../purchase/limits.js';
import { type AskDependencies, asInternal, runHasEnded } from './ask-model.js';
import { type Asking, callModel, type ModelCall } from './call-model.js';
import { inAgentSpan } from './call-spans.js';
import { chooseProvider } from './choose-provider.js';
import type { EndTogether } from './end-together.js';
import { keepStoring } from './keep-storing.js';
import { notingLoss } from './note-loss.js';
import type { ShareCall, SharedCall } from './shared-calls.js';

/** What the history shows of a search: no text, and no address. */
export interface Searched {
  readonly model: CouncilModel;
  readonly searches: number;
  readonly citations: number;
}

export interface ResearchDependencies extends Omit<AskDependencies, 'shareCall'> {
  readonly shareCall: ShareCall<Searched>;
  readonly endTogether: EndTogether;
}

/**
 * Before stage 1: lets one member search the web, and stores what it found before the activity completes. A search that
 * an earlier attempt stored is not paid for twice.
 * @throws ApplicationFailure whose type is a dropout kind if the search failed, and anything else if we did
 */
export async function askResearch(deps: ResearchDependencies, call: ModelCall): Promise<Searched> {
  const { reportId, model, of } = call;
  const search = async (shared: SharedCall) => {
    const { run, brief } = await deps.readStage({ reportId, stage: 'research', of });
    const stored = run.deliberation.research.find(search => search.model === model);
    if (stored !== undefined) return outlineOf(model, stored.answer);
    if (run.status !== 'processing') throw runHasEnded();
    const { provider, ...route } = await chooseProvider(deps, model, run);
    const send: Asking<SearchAnswer>['send'] = (prompt, limits) =>
      provider.search({ ...prompt, ...limits, blockedHosts, maxSearches: searchesMax });
    const asking = { deps, stage: 'research', call, ...shared, ...route, send } as const;
    return inAgentSpan(asking, () => searchAndStore(asking, brief).catch(asInternal));
  };
  const found = deps.shareCall({ ...call, stage: 'research' }, search, searched =>
    deps.endTogether(`${reportId}`, () => searched),
  );
  return notingLoss(deps.db, 'research', call, found);
}

async function searchAndStore(asking: Asking<SearchAnswer>, brief: BriefInput): Promise<Searched> {
  const { deps, budget } = asking;
  const { model, reportId } = asking.call;
  const { answer, call } = await callModel(asking, researchPrompt(brief));
  const now = deps.now();
  const { text, citations, searches, blockList } = answer;
  if (blockList === 'refused') log.warn('a vendor refused the list of blocked hosts', { reportId, model });
  const research = visibleResearch({ text, citations, searches, retrievedAt: now.toISOString() });
  const latencyMs = budget.calledInAttemptMs();
  const stored = await keepStoring(asking, call, () =>
    saveStageResult(deps.db, { answer: research, latencyMs, call, now }),
  );
  if (stored === 'run_ended') throw runHasEnded();
  return outlineOf(model, research);
}

function outlineOf(model: CouncilModel, { searches, citations }: Research): Searched {
  return { model, searches, citations: citations.length };
}

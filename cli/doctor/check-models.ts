import { type DropoutKind, hasQuorum } from '../../council/deliberation/members.js';
import { type CouncilModel, councilModels, type Vendor } from '../../council/models.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import type { Settings } from '../../platform/settings/settings.js';
import { type Trial, tryModel } from '../../providers/check-models.js';
import { type SearchTrial, trySearch } from '../../providers/check-search.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { openProviders } from '../../providers/open-providers.js';
import { vendorSettings } from '../../providers/vendor-settings.js';
import { firstOf, ok, problem, type Result, warning } from './finding.js';

/** What a trial of one model showed. It never contains a key or a text of the vendor. */
export interface ModelFinding {
  readonly model: CouncilModel;
  readonly vendor: Vendor;
  readonly model_id: string;
  /** A model that has no key, by choice, drops out of every report. */
  readonly configured: boolean;
  readonly works: boolean;
  /** What a report would say about this model; null when it works. */
  readonly problem: DropoutKind | null;
  readonly http_status: number | null;
  readonly advice: string | null;
  /** Null for a member that does not search, or has no key. */
  readonly search: SearchTrial | null;
}

/** Sends every model one cheap question, and lets those that search make one search, the way a report does. */
export async function askModels(settings: Settings, asOf: string): Promise<readonly ModelFinding[]> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const { providers, close } = await openProviders(settings, catalogue);
  const timeoutMs = settings.STAGE_DEADLINES_MS.opinions;
  const { signal } = new AbortController();
  const searchOf = async (model: CouncilModel): Promise<SearchTrial | null> => {
    const { search, limits } = catalogue[model];
    if (settings.EVIDENCE === 'off' || search === 'none') return null;
    const searchLimits = { ...limits.research, timeoutMs: settings.RESEARCH_DEADLINE_MS, signal };
    return trySearch(providers[model], { asOf, ...searchLimits });
  };
  try {
    return await Promise.all(
      councilModels.map(async model => {
        const { vendor, modelId, limits } = catalogue[model];
        const { key } = vendorSettings[vendor];
        const configured = settings.COUNCIL_PROVIDERS === 'simulated' || settings[key] !== undefined;
        const [trial, search] = await Promise.all([
          tryModel(providers[model], { asOf, ...limits.opinions, timeoutMs, signal }),
          configured ? searchOf(model) : null,
        ]);
        const found = { model, vendor, model_id: modelId, configured, works: trial.works, search };
        if (trial.works) return { ...found, problem: null, http_status: null, advice: null };
        const advice = configured ? adviceOn(trial, key) : `set ${key}`;
        return { ...found, problem: trial.kind, http_status: trial.status, advice };
      }),
    );
  } finally {
    await close();
  }
}

/** A search that would fail is worth a warning: reports are made all the same. */
export function assessModels(models: readonly ModelFinding[]): Result {
  const working = models.filter(({ works }) => works);
  const searches = models.flatMap(({ search }) => search ?? []);
  const failed = searches.filter(({ works }) => !works).length;
  const count = `${working.length} of ${models.length} models would answer`;
  const tooFew = `${count}: too few for a report. Every run would fail and be refunded.`;
  const degraded = `${count}: reports would be made, and marked as degraded.`;
  const poorer = `${count}. ${failed} of ${searches.length} searches failed: reports would be made with less evidence.`;
  const seeModels = 'See the line of each model below.';
  return firstOf(
    [
      [!hasQuorum(working), problem(tooFew, seeModels)],
      [models.some(({ works, configured }) => configured && !works), problem(degraded, seeModels)],
      [working.length < models.length, warning(degraded, seeModels)],
      [failed > 0, warning(poorer, 'See docs/operations.md, "Reports have no evidence".')],
    ],
    ok(searches.length === 0 ? `${count}.` : `${count}. ${searches.length} of them search the web.`),
  );
}

export function describeSearch({ model, search }: ModelFinding): string[] {
  if (search === null) return [];
  const name = `${model.padEnd(7)} ${'web search'.padEnd(26)}`;
  if (!search.works) return [`${name} fails, ${failureText(search)}: it would read what others found`];
  const list = search.block_list === null ? '' : blockLists[search.block_list];
  return [`${name} works: ${search.searches} searches, ${search.citations} citations; ${list}`];
}

const blockLists = {
  sent: 'the vendor takes the block list',
  ignored: 'the vendor ignores the block list; the service removes such pages itself',
  refused: 'the vendor refuses the block list; the service removes such pages itself',
  unsupported: 'the vendor has no block list; the service removes such pages itself',
} as const;

export function describeModel(finding: ModelFinding): string {
  const name = `${finding.model.padEnd(7)} ${finding.model_id.padEnd(26)}`;
  if (finding.works) return `${name} works`;
  if (!finding.configured) return `${name} has no key: ${finding.advice}`;
  return `${name} would drop out, ${failureText(finding)}: ${finding.advice}`;
}

function failureText(failed: Pick<ModelFinding, 'problem' | 'http_status'>): string {
  const status = failed.http_status === null ? '' : ` (HTTP ${failed.http_status})`;
  return `${failed.problem?.replace('_', ' ')}${status}`;
}

function adviceOn({ kind, status }: Exclude<Trial, { works: true }>, key: string): string {
  if (status === 404) return 'the vendor does not know this model; correct model_id in providers/models.yaml';
  if (status === 400)
    return 'the vendor rejects the request; check effort, thinking_budget_tokens and max_output_tokens in providers/models.yaml';
  return {
    unauthorised: `the vendor rejects the key in ${key}; check the key, its permissions and the bill`,
    rate_limited: 'the vendor’s rate limit or balance is used up; raise it, or try later',
    timed_out: 'no answer within the time of a stage; try later, or raise STAGE_DEADLINES_MS',
    refused: 'the model refused a harmless question; choose another in providers/models.yaml',
    invalid_answer:
      'the answer was not usable; raise max_output_tokens or choose another model in providers/models.yaml',
    unavailable:
      'the vendor is unreachable, down or rejects the request; check the network and its status page',
  }[kind];
}

import { projectFiles } from '../../config/project-files.js';
import type { Settings } from '../../config/settings.js';
import { type DropoutKind, hasQuorum } from '../../council/deliberation/members.js';
import { type CouncilModel, councilModels, type Vendor } from '../../council/models.js';
import { type Trial, tryModel } from '../../providers/check-models.js';
import { loadModelCatalogue, type ModelEntry } from '../../providers/model-catalogue.js';
import { openProviders } from '../../providers/open-providers.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Asks every model one cheap question, as a report would. */
export async function askModels(settings: Settings, asOf: string): Promise<readonly ModelFinding[]> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const open = await openProviders(settings, catalogue);
  try {
    return await Promise.all(
      councilModels.map(async model => {
        const entry = catalogue[model];
        const trial = await tryModel(open.providers[model], {
          asOf,
          maxOutputTokens: entry.maxOutputTokens,
          timeoutMs: settings.STAGE_DEADLINES_MS.opinions,
          signal: new AbortController().signal,
        });
        const hasKey = settings[keyVariables[entry.vendor]] !== undefined;
        const configured = settings.COUNCIL_PROVIDERS === 'simulated' || hasKey;
        return modelFinding(model, entry, { configured, trial });
      }),
    );
  } finally {
    await open.close();
  }
}

/** A problem where no report could be made, or a model that has a key would not answer. */
export function assessModels(models: readonly ModelFinding[]): Finding {
  const working = models.filter(({ works }) => works);
  const count = `${working.length} of ${models.length} models would answer`;
  const next = 'Each model below says what to do.';
  if (!hasQuorum(working)) {
    return problem('models', `${count}: too few for a report. Every run would fail, and be refunded.`, next);
  }
  if (working.length === models.length) return ok('models', `${count}.`);
  const make = models.some(({ works, configured }) => configured && !works) ? problem : warning;
  return make('models', `${count}: reports would be made, and marked as degraded.`, next);
}

/** What a trial of one model showed, in our own words: never a key, never a vendor's text. */
export interface ModelFinding {
  readonly model: CouncilModel;
  readonly vendor: Vendor;
  readonly model_id: string;
  /** Left without a key the model drops out of every report, by choice. */
  readonly configured: boolean;
  readonly works: boolean;
  /** What a report would say of this model; null where it works. */
  readonly problem: DropoutKind | null;
  readonly http_status: number | null;
  readonly advice: string | null;
}

const keyVariables = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  xai: 'XAI_API_KEY',
} as const satisfies Record<Vendor, string>;

function modelFinding(
  model: CouncilModel,
  { vendor, modelId }: ModelEntry,
  { configured, trial }: { configured: boolean; trial: Trial },
): ModelFinding {
  const found = { model, vendor, model_id: modelId, configured };
  if (trial.works) return { ...found, works: true, problem: null, http_status: null, advice: null };
  const advice = configured ? adviceOn(trial, keyVariables[vendor]) : `set ${keyVariables[vendor]}`;
  return { ...found, works: false, problem: trial.kind, http_status: trial.status, advice };
}

export function describeFinding(finding: ModelFinding): string {
  const name = `${finding.model.padEnd(7)} ${finding.model_id.padEnd(26)}`;
  if (finding.works) return `${name} works`;
  if (!finding.configured) return `${name} has no key: ${finding.advice}`;
  const status = finding.http_status === null ? '' : ` (HTTP ${finding.http_status})`;
  return `${name} would drop out, ${finding.problem?.replace('_', ' ')}${status}: ${finding.advice}`;
}

function adviceOn({ kind, status }: Exclude<Trial, { works: true }>, variable: string): string {
  if (status === 404) return 'the vendor does not know this model; mend model_id in providers/models.yaml';
  switch (kind) {
    case 'unauthorised':
      return `the vendor does not take the key in ${variable}; check it, its rights and the bill`;
    case 'rate_limited':
      return 'the vendor’s limit or the balance there is used up; raise it, or try later';
    case 'timed_out':
      return 'no answer within a stage’s time; try later, or allow more in STAGE_DEADLINES_MS';
    case 'refused':
      return 'the model refused a harmless question; choose another in providers/models.yaml';
    case 'invalid_answer':
      return 'the answer could not be used; raise max_output_tokens or choose another model in providers/models.yaml';
    case 'unavailable':
      return 'the vendor cannot be reached, is down or does not take the request; check the network and its status page';
  }
}

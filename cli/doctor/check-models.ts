import { projectFiles } from '../../config/project-files.js';
import type { Settings } from '../../config/settings.js';
import { type DropoutKind, hasQuorum } from '../../council/deliberation/members.js';
import { type CouncilModel, councilModels, type Vendor } from '../../council/models.js';
import { type Trial, tryModel } from '../../providers/check-models.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { openProviders } from '../../providers/open-providers.js';
import { ok, problem, type Result, warning } from './finding.js';

/** What a trial of one model showed. It never contains a key or a text of the vendor. */
export interface ModelFinding {
  readonly model: CouncilModel;
  readonly vendor: Vendor;
  readonly model_id: string;
  /** Without a key, by choice, the model drops out of every report. */
  readonly configured: boolean;
  readonly works: boolean;
  /** What a report would say about this model; null when it works. */
  readonly problem: DropoutKind | null;
  readonly http_status: number | null;
  readonly advice: string | null;
}

export const vendorSettings = {
  openai: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', usualUrl: 'https://api.openai.com' },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    usualUrl: 'https://api.anthropic.com',
  },
  google: {
    key: 'GEMINI_API_KEY',
    baseUrl: 'GEMINI_BASE_URL',
    usualUrl: 'https://generativelanguage.googleapis.com',
  },
  xai: { key: 'XAI_API_KEY', baseUrl: 'XAI_BASE_URL', usualUrl: 'https://api.x.ai' },
} as const satisfies Record<Vendor, { key: string; baseUrl: string; usualUrl: string }>;

/** Sends every model one cheap question, the way a report does. */
export async function askModels(settings: Settings, asOf: string): Promise<readonly ModelFinding[]> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const { providers, close } = await openProviders(settings, catalogue);
  const timeoutMs = settings.STAGE_DEADLINES_MS.opinions;
  const { signal } = new AbortController();
  try {
    return await Promise.all(
      councilModels.map(async model => {
        const { vendor, modelId, limits } = catalogue[model];
        const { key } = vendorSettings[vendor];
        const configured = settings.COUNCIL_PROVIDERS === 'simulated' || settings[key] !== undefined;
        const trial = await tryModel(providers[model], { asOf, ...limits.opinions, timeoutMs, signal });
        const found = { model, vendor, model_id: modelId, configured, works: trial.works };
        if (trial.works) return { ...found, problem: null, http_status: null, advice: null };
        const advice = configured ? adviceOn(trial, key) : `set ${key}`;
        return { ...found, problem: trial.kind, http_status: trial.status, advice };
      }),
    );
  } finally {
    await close();
  }
}

/** A problem when no report could be made, or when a model with a key would not answer. */
export function assessModels(models: readonly ModelFinding[]): Result {
  const working = models.filter(({ works }) => works);
  const count = `${working.length} of ${models.length} models would answer`;
  const next = 'See the line of each model below.';
  if (!hasQuorum(working)) {
    return problem(`${count}: too few for a report. Every run would fail and be refunded.`, next);
  }
  if (working.length === models.length) return ok(`${count}.`);
  const result = models.some(({ works, configured }) => configured && !works) ? problem : warning;
  return result(`${count}: reports would be made, and marked as degraded.`, next);
}

export function describeModel(finding: ModelFinding): string {
  const name = `${finding.model.padEnd(7)} ${finding.model_id.padEnd(26)}`;
  if (finding.works) return `${name} works`;
  if (!finding.configured) return `${name} has no key: ${finding.advice}`;
  const status = finding.http_status === null ? '' : ` (HTTP ${finding.http_status})`;
  return `${name} would drop out, ${finding.problem?.replace('_', ' ')}${status}: ${finding.advice}`;
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

import type { DropoutKind } from '../council/dropout.js';
import type { CouncilModel } from '../council/models.js';
import type { Vendor } from '../council/vendor.js';
import type { ModelEntry } from '../providers/model-catalogue.js';
import type { Trial } from '../providers/try-model.js';

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

export const keyVariables = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  xai: 'XAI_API_KEY',
} as const satisfies Record<Vendor, string>;

export function modelFinding(
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

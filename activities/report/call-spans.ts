import { type Attributes, type Span, SpanKind } from '@opentelemetry/api';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel, KeyVendor } from '../../council/models.js';
import type { Prompt } from '../../council/prompts/prompt.js';
import { inSpan } from '../../platform/telemetry/tracing.js';
import type { AnswerLimits } from '../../providers/answer-limits.js';
import { costUsdMicros, type ModelCatalogue, type ModelEntry } from '../../providers/model-catalogue.js';
import { type ModelAnswer, type ModelUsage, ProviderError } from '../../providers/model-provider.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';

/** What spans say of a member's calls. Their names are those of OpenTelemetry's conventions (docs/adr/0021). */
export interface SpannedCall {
  readonly deps: { readonly catalogue: ModelCatalogue; readonly capturesContent: boolean };
  readonly call: { readonly reportId: number; readonly model: CouncilModel };
  readonly stage: CallStage;
  readonly vendor: KeyVendor;
  readonly modelId: string;
}

/**
 * The member as an agent, at one stage. A member's stages are activities, perhaps in several processes: a span over all of
 * them could only be made up afterwards, so they share a conversation instead, the report. It has no usage: viewers add up
 * all spans, and its calls have theirs.
 */
export function inAgentSpan<Result>(asked: SpannedCall, work: () => Promise<Result>): Promise<Result> {
  const { model } = asked.call;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': model,
    ...sharedBy(asked),
  };
  return inSpan({ name: `invoke_agent ${model}`, kind: SpanKind.INTERNAL, attributes }, work);
}

/** One request to the model. Contains prompt and answer only if the operator asked for them, and never a key. */
export function inChatSpan<Answer extends ModelAnswer>(
  asked: SpannedCall,
  { prompt, limits }: { readonly prompt: Prompt; readonly limits: AnswerLimits },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { capturesContent, catalogue } = asked.deps;
  const entry = catalogue[asked.call.model];
  const attributes = {
    'gen_ai.operation.name': 'chat',
    ...sharedBy(asked),
    ...requestOf(asked.stage, limits),
    ...(capturesContent ? contentOfPrompt(prompt) : {}),
  };
  const options = { name: `chat ${asked.modelId}`, kind: SpanKind.CLIENT, attributes, errorType };
  return inSpan(options, async span => {
    const answer = await send().catch(error => noteFailure(span, entry, error));
    span.setAttributes({ ...usageOf(entry, answer), 'gen_ai.response.finish_reasons': ['stop'] });
    if (capturesContent) span.setAttributes(contentOfAnswer(answer));
    return answer;
  });
}

function sharedBy({ call: { reportId, model }, stage, vendor, modelId }: SpannedCall): Attributes {
  return {
    'gen_ai.provider.name': providerNames[vendor],
    'gen_ai.request.model': modelId,
    'gen_ai.conversation.id': String(reportId),
    'council.model': model,
    'council.stage': stage,
    'council.report_id': reportId,
  };
}

/** The conventions' names. They have none for OpenRouter. */
const providerNames: Readonly<Record<KeyVendor, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  xai: 'x_ai',
  openrouter: 'openrouter',
};

/** A search is answered in prose, everything else in a schema. No temperature is ever requested. */
function requestOf(stage: CallStage, { maxOutputTokens, effort }: AnswerLimits): Attributes {
  return {
    'gen_ai.request.max_tokens': maxOutputTokens,
    ...(effort === null ? {} : { 'gen_ai.request.reasoning.level': effort }),
    ...(stage === 'research' ? {} : { 'gen_ai.output.type': 'json' }),
  };
}

/** What the vendor bills, at the catalogue's prices: the numbers of the stored call. */
function usageOf(entry: ModelEntry, usage: ModelUsage): Attributes {
  const { cachedInputTokens = 0, cacheWriteTokens = 0, searches } = usage;
  const costMicros = costUsdMicros(entry, usage);
  return {
    'gen_ai.response.model': usage.modelId,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    // In dollars. No convention has it, but Langfuse and others read it.
    'gen_ai.usage.cost': costMicros / usdMicrosPerUsd,
    'council.cost_usd_micros': costMicros,
    ...(searches === undefined ? {} : { 'council.searches': searches }),
  };
}

/** An unusable answer is billed as well. Why the model stopped is known only if it was cut off. */
function noteFailure(span: Span, entry: ModelEntry, error: unknown): never {
  if (error instanceof ProviderError) {
    if (error.usage !== null) span.setAttributes(usageOf(entry, error.usage));
    if (error.truncated) span.setAttribute('gen_ai.response.finish_reasons', ['length']);
  }
  throw error;
}

function errorType(error: unknown): string | null {
  return error instanceof ProviderError ? error.kind : null;
}

/** As text, because spans have no structured attributes. */
function contentOfPrompt({ system, user }: Prompt): Attributes {
  return {
    'gen_ai.system_instructions': JSON.stringify([textPart(system)]),
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [textPart(user)] }]),
  };
}

function contentOfAnswer({ text }: ModelAnswer): Attributes {
  const message = { role: 'assistant', parts: [textPart(text)], finish_reason: 'stop' };
  return { 'gen_ai.output.messages': JSON.stringify([message]) };
}

function textPart(content: string) {
  return { type: 'text', content };
}

import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import type {
  ModelUsage,
  ProviderError,
  ProviderSettings,
  SearchAnswer,
  SearchQuestion,
} from '../model-provider.js';
import { effortOf, thinkingOf } from './anthropic-fields.js';
import { readFinding, readTurn } from './anthropic-findings.js';
import { askVendor } from './ask-vendor.js';
import { namesBlockList, sendWithBlockList } from './block-list.js';
import { sumOf, withBilled } from './failures.js';

/**
 * Searches with `web_search_20250305`. Later versions run code to filter the results and often pause without an answer.
 * At most three requests: one, the same without the list of blocked hosts, and one that continues a paused answer.
 */
export async function searchWithAnthropic(
  client: Anthropic,
  settings: Pick<ProviderSettings, 'modelId' | 'billsCacheWrites'>,
  question: SearchQuestion,
  classify: (error: unknown) => ProviderError,
): Promise<SearchAnswer> {
  const { modelId } = settings;
  /** Billed already, while the rest of a paused answer is under way. */
  const paused: { usage: ModelUsage | null } = { usage: null };
  const search = async (signal: AbortSignal): Promise<SearchAnswer> => {
    const options = { signal, timeout: question.timeoutMs, maxRetries: 0 };
    const { body, hosts, blockList } = await sendWithBlockList(
      question.blockedHosts,
      blockedHosts => client.messages.create(requestOf(question, settings, blockedHosts), options),
      error => error instanceof APIError && namesBlockList(error.status, [error.message, error.error]),
    );
    const turn = readTurn(body, modelId);
    if (turn.stopReason !== 'pause_turn') return { ...readFinding(turn), blockList };
    paused.usage = turn.usage;
    const request = continuationOf(requestOf(question, settings, hosts), body, turn.usage.searches);
    const rest = readTurn(await client.messages.create(request, options), modelId);
    paused.usage = null;
    const whole = { ...rest, blocks: [...turn.blocks, ...rest.blocks], usage: sumOf(rest.usage, turn.usage) };
    return { ...readFinding(whole), blockList };
  };
  try {
    return await askVendor(question, search, classify);
  } catch (error) {
    throw paused.usage === null ? error : withBilled(error, paused.usage);
  }
}

type MessageRequest = Anthropic.MessageCreateParamsNonStreaming & {
  readonly tools: readonly [Anthropic.WebSearchTool20250305];
};

function requestOf(
  question: SearchQuestion,
  { modelId, billsCacheWrites = false }: Pick<ProviderSettings, 'modelId' | 'billsCacheWrites'>,
  hosts: readonly string[],
): MessageRequest {
  const effort = effortOf(question);
  return {
    model: modelId,
    max_tokens: question.maxOutputTokens,
    system: question.system,
    messages: [{ role: 'user', content: billsCacheWrites ? [marked(question.user)] : question.user }],
    ...thinkingOf(question),
    ...(effort.effort === undefined ? {} : { output_config: effort }),
    tools: [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: question.maxSearches,
        ...(hosts.length === 0 ? {} : { blocked_domains: [...hosts] }),
      },
    ],
  };
}

/**
 * After each search the model reads the prompt and all results again, and all of it is billed again. With one mark in the
 * request the vendor stores the prompt and, by itself, the results, and serves them from there.
 */
function marked(text: string): Anthropic.TextBlockParam {
  return { type: 'text', text, cache_control: { type: 'ephemeral' } };
}

/**
 * Asks for the rest of a paused answer: its content goes back unchanged. The vendor counts uses per request, so the
 * searches made already are subtracted; a search that the pause interrupted needs at least one.
 */
function continuationOf(
  { messages, tools, ...request }: MessageRequest,
  paused: Anthropic.Message,
  searches: number,
): MessageRequest {
  const [tool] = tools;
  return {
    ...request,
    messages: [...messages, { role: 'assistant', content: paused.content }],
    tools: [{ ...tool, max_uses: Math.max(1, (tool.max_uses ?? 1) - searches) }],
  };
}

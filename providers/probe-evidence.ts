import type { DropoutKind } from '../council/deliberation/members.js';
import type { Opinion } from '../council/deliberation/stages.js';
import type { EvidenceItem } from '../council/evidence.js';
import { outcomeSet } from '../council/market/outcome-set.js';
import { opinionQuestion, type StageQuestion } from '../council/questions/stage-questions.js';
import type { AnswerLimits } from './answer-limits.js';
import { trialEvent } from './check-models.js';
import { type CallLimits, type ModelProvider, type ModelUsage, ProviderError } from './model-provider.js';
import questions from './probe-questions.json' with { type: 'json' };

/**
 * A made-up question, asked with two evidence packs that differ in their last source: in one it is a statement without a
 * price, in the other one that quotes the planted price. No member can know such an event, and the other sources are
 * balanced.
 */
export interface ProbePair {
  readonly id: string;
  /** The planted probability of Yes, 0 to 1. */
  readonly price: number;
  readonly without: StageQuestion<Opinion>;
  readonly planted: StageQuestion<Opinion>;
}

/** Names the questions of {@link probePairs}: figures of different sets cannot be compared. */
export const probeSet = 'probe/1';

/** All pairs, in the order in which they are asked: the planted price is high and low by turns. */
export function probePairs(asOf: string): readonly ProbePair[] {
  return questions.map(({ id, title, rules, sources, neutral, planted, price }) => {
    const event = trialEvent({ title, description: rules, sides });
    const asked = (last: string) =>
      opinionQuestion(
        { event, set: outcomeSet(event), asOf, seed: `${probeSet}/${id}` },
        [...sources, last].map((text, index) => sourceOf(text, index, asOf)),
      );
    return { id, price, without: asked(neutral), planted: asked(planted) };
  });
}

/** What a member answered to both questions of a pair, as probabilities of Yes, 0 to 1; or why it did not. */
export type ProbeAnswer = (
  | { readonly ok: true; readonly without: number; readonly planted: number }
  | { readonly ok: false; readonly problem: DropoutKind }
) & { readonly usage: readonly ModelUsage[] };

/** Asks a member both questions of a pair, one request each. After a failure, the second one is not asked. */
export async function askPair(
  provider: ModelProvider,
  { without, planted }: ProbePair,
  limits: CallLimits & AnswerLimits,
): Promise<ProbeAnswer> {
  const usage: ModelUsage[] = [];
  const ask = async ({ prompt, schemaName, schema, parse }: StageQuestion<Opinion>): Promise<number> => {
    const answer = await provider.ask({ ...prompt, schemaName, schema, ...limits });
    usage.push(answer);
    const parsed = parse(answer.text);
    const yes = parsed.ok ? parsed.value.distribution.find(({ outcome }) => outcome === sides[0]) : undefined;
    if (yes === undefined) throw new ProviderError({ kind: 'invalid_answer', retryable: false });
    return yes.probability / 100;
  };
  try {
    return { ok: true, without: await ask(without), planted: await ask(planted), usage };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.usage !== null) usage.push(error.usage);
    return { ok: false, problem: error.kind, usage };
  }
}

const sides = ['Yes', 'No'] as const;

function sourceOf(text: string, index: number, asOf: string): EvidenceItem {
  const domain = `news${index + 1}.example.org`;
  return {
    id: `S${index + 1}`,
    text,
    url: `https://${domain}/`,
    domain,
    title: null,
    published_at: null,
    retrieved_at: asOf,
    found_by: [],
  };
}

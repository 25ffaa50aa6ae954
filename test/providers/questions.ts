import type { JsonSchema, ModelQuestion, SearchQuestion } from '../../providers/model-provider.js';

/** The council's requests: its four schemas with the given labels, and the outcomes in the prompt. */
export function question(schemaName: SchemaName, changes: Partial<RequestOptions> = {}): ModelQuestion {
  const options = { ...defaults, ...changes };
  return {
    system: 'You are one of four forecasters.',
    user: `What will happen?\n<<<BEGIN event>>>\n${options.event}\n<<<END event>>>\n${outcomesText(options)}\n${options.extra}`,
    sharedChars: 0,
    schemaName,
    schema: schemas[schemaName](options),
    maxOutputTokens: 4_000,
    effort: null,
    thinkingBudgetTokens: null,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
  };
}

/** A search of the first setting in models.yaml. */
export function searchQuestion(changes: Partial<SearchQuestion> = {}): SearchQuestion {
  return {
    system: 'You look things up.',
    user: 'Who leads the 2027 chess candidates?',
    blockedHosts: ['polymarket.com', 'kalshi.com'],
    maxSearches: 4,
    maxOutputTokens: 6_000,
    effort: 'low',
    thinkingBudgetTokens: null,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

export const schemaNames = ['opinion', 'cross_review', 'synthesis', 'market_gap'] as const;
export type SchemaName = (typeof schemaNames)[number];

interface RequestOptions {
  readonly event: string;
  /** Text in the prompt besides the event, such as the other members' answers. */
  readonly extra: string;
  readonly outcomes: readonly string[];
  readonly labels: readonly string[];
  readonly independent: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const defaults: RequestOptions = {
  event: 'Who will win the 2027 chess candidates?',
  extra: '',
  outcomes: ['Ada', 'Bela', 'Chen'],
  labels: ['A', 'B', 'C'],
  independent: false,
  timeoutMs: 20_000,
  signal: new AbortController().signal,
};

/** As in the council's own prompt. */
function outcomesText({ outcomes }: RequestOptions): string {
  const lines = outcomes.map((name, index) => `- O${index + 1} = ${JSON.stringify(name)}`);
  return `<<<BEGIN OUTCOMES>>>\n${lines.join('\n')}\n<<<END OUTCOMES>>>`;
}

const text = { type: 'string', maxLength: 8_000 };
const percent = { type: 'number', minimum: 0, maximum: 100 };
const count = { type: 'integer', minimum: 0 };

function object(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function list(items: JsonSchema, rest: JsonSchema = {}): JsonSchema {
  return { type: 'array', items, ...rest };
}

function distribution({ outcomes, independent }: RequestOptions): JsonSchema {
  const entry = object({ outcome: { type: 'string' }, probability: percent });
  const description = independent ? 'The outcomes are independent.' : 'Probabilities add up to 100.';
  return list(entry, {
    description,
    minItems: outcomes.length,
    maxItems: outcomes.length,
    uniqueItems: true,
  });
}

const schemas: Record<SchemaName, (options: RequestOptions) => JsonSchema> = {
  opinion: options => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...object({
      rule: text,
      resolution_risk: percent,
      base_rates: list(
        object({ reference_class: text, k: count, n: count, period: text, sources: list(text) }),
        { maxItems: 2 },
      ),
      outside_view: object({ outcome: text, probability: percent }),
      evidence: list(object({ fact: text, sources: list(text) })),
      rationale: text,
      distribution: distribution(options),
      range: object({ low: percent, high: percent }),
      confidence: percent,
      would_change: list(object({ if: text, by: text, to: percent }), { maxItems: 3 }),
    }),
  }),
  cross_review: options => {
    const label = { type: 'string', enum: options.labels };
    return object({
      ranking: list(label),
      critiques: list(object({ label, strengths: text, weaknesses: text })),
      revised_distribution: distribution(options),
      revised_confidence: percent,
    });
  },
  synthesis: () =>
    object({
      summary: text,
      agreements: list(text),
      disagreements: list(text),
      key_uncertainties: list(text),
      triggers: list(
        object({ if: text, by: text, direction: { enum: ['up', 'down'] }, members: list(text) }),
      ),
    }),
  market_gap: () => object({ market_may_know: text, council_may_know: text }),
};

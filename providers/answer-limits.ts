import type { Vendor } from '../council/models.js';

/** How hard a model thinks before it answers. Each vendor accepts a part of these; see {@link vendorEfforts}. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Effort = (typeof efforts)[number];

/** What one answer may take. */
export interface AnswerLimits {
  /** All output tokens of one call, including the model's hidden reasoning. */
  readonly maxOutputTokens: number;
  /** Null: the vendor's default. */
  readonly effort: Effort | null;
  /** Tokens for hidden reasoning, for older models that take a budget instead of an effort. Null: none is sent. */
  readonly thinkingBudgetTokens: number | null;
}

/**
 * The efforts that a vendor's API accepts. A single model may accept fewer; it then answers 400, and `council doctor`
 * names it.
 */
export const vendorEfforts = {
  openai: efforts,
  anthropic: ['low', 'medium', 'high', 'xhigh', 'max'],
  google: ['minimal', 'low', 'medium', 'high'],
  xai: ['none', 'low', 'medium', 'high'],
} as const satisfies Record<Vendor, readonly Effort[]>;

/** The vendors whose APIs take a budget of thinking tokens, and the smallest budget. */
export const smallestThinkingBudgets: Readonly<Partial<Record<Vendor, number>>> = {
  anthropic: 1_024,
  google: 0,
};

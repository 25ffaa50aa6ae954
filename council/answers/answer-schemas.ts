/** A JSON schema for structured output. Uses only keywords that all vendors accept. */
export type AnswerSchema = { readonly [keyword: string]: unknown };

/**
 * Stage 1. Reasons come before numbers, so that a model reasons before it commits to a number. The schema is the same
 * for every event: vendors compile a schema before they use it, keep what they have compiled, and refuse one with long
 * lists of values. The parser knows the labels of the outcomes.
 */
export function opinionSchema(exclusive: boolean): AnswerSchema {
  return record({
    rule: text('The rule by which the event resolves, in own words.'),
    resolution_risk: percent('The chance that it resolves otherwise than the facts suggest.'),
    base_rates: {
      type: 'array',
      description: 'At most two reference classes, the one that fits better first.',
      items: record({
        reference_class: text('The comparable events, and what counts as the same end.'),
        k: { type: 'integer', description: 'How many of them ended this way: at most n.' },
        n: { type: 'integer', description: 'How many there were: at least 1.' },
        period: text('The time in which they were counted.'),
        sources: list(sourceIds),
      }),
    },
    outside_view: outcomeProbability('The percent by the base rates alone, scaled to the time left.'),
    evidence: {
      type: 'array',
      description: 'Short facts that support the probabilities.',
      items: record({
        fact: text('One fact.'),
        sources: list(sourceIds),
      }),
    },
    rationale: text('The reasoning: from the base rates to the probabilities.'),
    distribution: distribution(exclusive),
    range: record({
      low: percent(
        `The 10th percentile of the probability after a further day of research, ${ofSubject(exclusive)}.`,
      ),
      high: percent('The 90th percentile. The probability given now lies between the two.'),
    }),
    confidence: percent('100 minus the width of the range.'),
    would_change: {
      type: 'array',
      description: 'At most three events that anybody can check.',
      items: record({
        if: text('The event.'),
        by: text('The last date for it, YYYY-MM-DD, today or later.'),
        to: percent(`The probability then, ${ofSubject(exclusive)}.`),
      }),
    },
  });
}

const sourceIds = 'Ids of the sources above that state it, such as S1; empty for own knowledge.';

/** As `subjectIndex` has it, in words that fit every event of the kind. */
function ofSubject(exclusive: boolean): string {
  return exclusive
    ? 'of O1 if there are exactly two outcomes, otherwise of the likeliest'
    : 'of the outcome nearest to 50 %';
}

/** Stage 2. `labels` are the letters of the answers shown. */
export function crossReviewSchema(labels: readonly string[], exclusive: boolean): AnswerSchema {
  const label = { type: 'string', enum: [...labels] };
  return record({
    critiques: {
      type: 'array',
      description: 'One entry for every letter.',
      items: record({ label, strengths: text('What is good.'), weaknesses: text('What is not.') }),
    },
    ranking: { type: 'array', description: 'Every letter exactly once, best first.', items: label },
    revised_distribution: distribution(exclusive),
    revised_confidence: percent(
      `100 minus the width of the range now: the 10th and 90th percentile of the probability after a further day of research, ${ofSubject(exclusive)}.`,
    ),
  });
}

/** Stage 3. Has no field for a number: those of a trigger are its members'. */
export function synthesisSchema(): AnswerSchema {
  return record({
    summary: text('What the council concludes, and why.'),
    agreements: list('What the members agree on.'),
    disagreements: list('What they do not agree on.'),
    key_uncertainties: list('What could change the answer.'),
    triggers: {
      type: 'array',
      description: 'At most five: what the members say would change their forecasts, merged.',
      items: record({
        if: text('An event that anybody can check.'),
        by: text('Its date, YYYY-MM-DD.'),
        direction: {
          type: 'string',
          enum: ['up', 'down'],
          description: 'Whether it makes the outcome that the prompt names more or less probable.',
        },
        members: list('Ids of the changes that it merges, such as A1.'),
      }),
    },
  });
}

/** Beside stage 3. Has no field for a number either. */
export function marketGapSchema(): AnswerSchema {
  return record({
    market_may_know: text('What the market may know that the council does not.'),
    council_may_know: text('What the council may know that the market does not.'),
  });
}

function distribution(exclusive: boolean): AnswerSchema {
  return {
    type: 'array',
    description: exclusive
      ? 'One entry for every outcome; the percents must add up to 100.'
      : 'One entry for every outcome; each percent is the independent probability of that outcome alone.',
    items: outcomeProbability('Percent from 0 to 100, decimals allowed: 0.4 means 0.4 %, not 40 %.'),
  };
}

function outcomeProbability(description: string): AnswerSchema {
  return record({
    outcome: text('The label of one outcome: O and its number, such as O1.'),
    probability: percent(description),
  });
}

function record(properties: AnswerSchema): AnswerSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function percent(description: string): AnswerSchema {
  return { type: 'number', description, minimum: 0, maximum: 100 };
}

function text(description: string): AnswerSchema {
  return { type: 'string', description };
}

function list(description: string): AnswerSchema {
  return { type: 'array', description, items: { type: 'string' } };
}

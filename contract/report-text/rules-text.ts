import type { MarketSnapshotView, ReportView } from '../reports.js';

/**
 * What a report says about the rules that it was sold by, shared by the page and the report in Markdown. What the venue
 * wrote is untrusted text.
 */

export const rulesTitle = 'The rules as sold';

/** A limit of the report: its numbers are about other rules than those of today. Null if no change was seen. */
export function rulesChangedText(
  { rules_changed_at: changedAt }: Pick<ReportView, 'rules_changed_at'>,
  dayOf: (time: string) => string = time => time.slice(0, 10),
): string | null {
  if (changedAt === null) return null;
  return (
    `The venue has changed the rules since this report was made: other rules were first read on ${dayOf(changedAt)}. ` +
    'The forecast is by the rules as sold; the venue decides by its own.'
  );
}

type SnapshotMarket = MarketSnapshotView['markets'][number];

/** The markets with rules of their own that are not those of the event or of a market before. */
export function marketsWithOwnRules({
  rules: ofEvent,
  markets,
}: Pick<MarketSnapshotView, 'rules' | 'markets'>): readonly (SnapshotMarket & { readonly rules: string })[] {
  const shown = new Set([ofEvent]);
  return markets.flatMap(market => {
    const { rules } = market;
    if (rules === null || ofEvent.includes(rules) || shown.has(rules)) return [];
    shown.add(rules);
    return [{ ...market, rules }];
  });
}

/**
 * By market, when its result is expected and what ends it, with the words of the venue. Where all markets have the same,
 * it is said once and the market is null. A market of which nothing is known is left out.
 */
export function deadlines(
  markets: readonly SnapshotMarket[],
  timeOf: (time: string) => string = time => time,
): readonly { readonly market: string | null; readonly text: string }[] {
  const texts = markets.map(market => deadlineText(market, timeOf));
  const [first = '', ...others] = new Set(texts);
  if (others.length === 0) return first === '' ? [] : [{ market: null, text: first }];
  return markets.flatMap(({ market }, index) => {
    const text = texts[index] ?? '';
    return text === '' ? [] : [{ market, text }];
  });
}

function deadlineText(
  { expected_at: expected, latest_at: latest, early_close: early }: SnapshotMarket,
  timeOf: (time: string) => string,
): string {
  const sentences = [
    ...(expected === null ? [] : [`The result is expected at ${timeOf(expected)}.`]),
    ...(latest === null ? [] : [`The venue waits for it until ${timeOf(latest)}.`]),
    ...(early === null ? [] : [`Trading ends early: ${early}`]),
  ];
  return sentences.join(' ');
}

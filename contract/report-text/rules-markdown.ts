import { nameMaxChars } from '../../council/text.js';
import type { MarketSnapshotView } from '../reports.js';
import { escapedLine, item, linkTo, part, quoted } from './markdown.js';
import { deadlines, marketsWithOwnRules, rulesTitle } from './rules-text.js';

/** The rules of the event and of its markets, as the venue stated them at the sale, and what decides. */
export function rulesPart(snapshot: MarketSnapshotView): string[] {
  return part(
    rulesTitle,
    snapshot.rules === '' ? [] : quoted(snapshot.rules),
    ...marketsWithOwnRules(snapshot).map(({ market, rules }) => [
      `${escapedLine(market, nameMaxChars)}:`,
      '',
      ...quoted(rules),
    ]),
    [...snapshot.settlement_sources.map(sourceText), ...deadlines(snapshot.markets).map(deadlineLine)].map(
      item,
    ),
    [`SHA-256 of the rules: ${snapshot.rules_sha256}.`],
  );
}

function sourceText({ name, url }: MarketSnapshotView['settlement_sources'][number]): string {
  const link = url === null ? '' : linkTo(url);
  return `Decided by: ${[name === url ? '' : escapedLine(name, nameMaxChars), link].join(' ').trim()}`;
}

function deadlineLine({ market, text }: ReturnType<typeof deadlines>[number]): string {
  return market === null ? escapedLine(text) : `${escapedLine(market, nameMaxChars)}: ${escapedLine(text)}`;
}

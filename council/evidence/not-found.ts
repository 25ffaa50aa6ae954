import type { NotFound } from '../evidence.js';
import { type CouncilModel, councilModels } from '../models.js';
import { seededShuffle } from '../random.js';
import { compareText, oneLine } from '../text.js';
import { foldText } from './fold-text.js';
import type { MemberFindings } from './found-pages.js';
import { namesMarketHost } from './market-page.js';
import { quotesOdds, statesAnyPrice } from './quotes-odds.js';
import type { NotFoundStatement } from './statements.js';

export const notFoundMaxChars = 200;
/** Of one member. */
export const notFoundMaxLines = 3;

/** What the members searched for in vain, and how many of their lines were left out. */
export interface NotFoundLines {
  readonly lines: readonly NotFound[];
  readonly oddsStatements: number;
  /** Lines beyond the limit of a member. */
  readonly otherStatements: number;
}

/**
 * What the members say that they did not find: each line once, with all who searched for it, in an order that does not
 * tell who did. Such a line is cited to no page by which it could be judged, so that it must hold no number in the form of
 * a price at all: a line that is lost costs less than a price that is read.
 */
export function notFoundLines(findings: readonly MemberFindings[], seed: string): NotFoundLines {
  const judged = findings.map(({ model, notFound }) => {
    const lines = notFound.map(line => ({ text: shownText(line), isOdds: isOdds(line) }));
    const odds = lines.filter(({ isOdds }) => isOdds).length;
    const texts = new Set(lines.flatMap(({ text, isOdds }) => (isOdds ? [] : [text])));
    return { model, odds, texts: [...texts] };
  });
  const kept = judged.flatMap(({ model, texts }) =>
    texts.slice(0, notFoundMaxLines).map(text => ({ model, text })),
  );
  const lines = mergedLines(kept);
  return {
    lines: seededShuffle(`${seed}/evidence/not found`, lines),
    oddsStatements: judged.reduce((total, { odds }) => total + odds, 0),
    otherStatements: judged.reduce((total, { texts }) => total + texts.length, -kept.length),
  };
}

function shownText({ text }: NotFoundStatement): string {
  return oneLine(text, notFoundMaxChars);
}

/** Read as a whole, because half a price is one as well, and as it is shown, because a cut text can say something else. */
function isOdds(line: NotFoundStatement): boolean {
  return line.quotesOdds || [line.text, shownText(line)].some(holdsPrice);
}

function holdsPrice(text: string): boolean {
  return quotesOdds(text) || statesAnyPrice(text) || namesMarketHost(text);
}

/** Lines of the same words are one, in the spelling that comes first. */
function mergedLines(lines: readonly { readonly model: CouncilModel; readonly text: string }[]): NotFound[] {
  const bySense = new Map<string, { text: string; members: Set<CouncilModel> }>();
  for (const { model, text } of [...lines].sort((a, b) => compareText(a.text, b.text))) {
    const sense = foldText(text)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const line = bySense.get(sense) ?? { text, members: new Set() };
    line.members.add(model);
    bySense.set(sense, line);
  }
  return [...bySense.values()].map(({ text, members }) => ({
    text,
    searched_by: councilModels.filter(model => members.has(model)),
  }));
}

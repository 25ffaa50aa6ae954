import type { MarketEvent } from '../event.js';
import type { CouncilModel } from '../models.js';
import { seededShuffle } from '../random.js';
import { compareText, oneLine } from '../text.js';
import { type FoundPage, type MemberFindings, pageKey } from './found-pages.js';
import { pricesEvent } from './prices-event.js';
import { quotesOdds, statesAnyPrice } from './quotes-odds.js';
import type { Statement } from './statements.js';

/** A page that the council may read, with the statements that are cited to it as one text. */
export interface CitedPage {
  readonly page: FoundPage;
  readonly text: string;
  /** The part of the text that each member's own search stated. */
  readonly ownTexts: ReadonlyMap<CouncilModel, string>;
}

/** The pages with text, in an order that depends on nobody, and how many statements were left out. */
export interface CitedPages {
  readonly cited: readonly CitedPage[];
  readonly oddsStatements: number;
  /** Statements without a page, or beyond what a page may hold. */
  readonly otherStatements: number;
}

export const itemMaxChars = 600;

/**
 * Sorts the statements by page: each belongs to the first page cited for it that the council may read. A statement that
 * is cited to a market as well may be the market's own, so it must not hold a price.
 */
export function citedPages(
  findings: readonly MemberFindings[],
  pages: ReadonlyMap<string, FoundPage>,
  { event, seed }: { readonly event: MarketEvent; readonly seed: string },
): CitedPages {
  let [oddsStatements, otherStatements] = [0, 0];
  const byPage = new Map<FoundPage, Map<MemberFindings, string[]>>();
  for (const found of findings) {
    for (const statement of found.statements) {
      const cited = statement.citations.flatMap(citation => pages.get(pageKey(citation)) ?? []);
      const page = cited.find(({ verdict }) => verdict === 'allowed');
      if (isOdds(statement, cited)) oddsStatements += 1;
      else if (page !== undefined) textsOf(byPage, page, found).push(statement.text);
      else if (cited.length === 0) otherStatements += 1;
    }
  }
  const ordered = [...byPage].sort(([a], [b]) => compareText(a.key, b.key));
  const composed = ordered.map(([page, texts]) => {
    const turns = inTurns(seededShuffle(`${seed}/evidence/${page.key}`, [...texts.values()]));
    const { chosen, ...counts } = composedText(turns, event);
    return { page, text: chosen.join(' '), ownTexts: ownTextsOf(chosen, texts, event), ...counts };
  });
  return {
    cited: composed.filter(({ text }) => text !== ''),
    oddsStatements: composed.reduce((total, { odds }) => total + odds, oddsStatements),
    otherStatements: composed.reduce((total, { beyond }) => total + beyond, otherStatements),
  };
}

function isOdds({ text, quotesOdds }: Statement, cited: readonly FoundPage[]): boolean {
  return quotesOdds || (cited.some(({ verdict }) => verdict === 'market') && statesAnyPrice(text));
}

function textsOf(
  byPage: Map<FoundPage, Map<MemberFindings, string[]>>,
  page: FoundPage,
  found: MemberFindings,
): string[] {
  const byMember = byPage.get(page) ?? new Map<MemberFindings, string[]>();
  const texts = byMember.get(found) ?? [];
  byPage.set(page, byMember.set(found, texts));
  return texts;
}

/** The first of each, then the second of each, and so on. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap(list => list.slice(round, round + 1)),
  ).flat();
}

/** Leaves out a text that quotes odds only because the statements between are another member's. */
function ownTextsOf(
  chosen: readonly string[],
  texts: ReadonlyMap<MemberFindings, readonly string[]>,
  event: MarketEvent,
): ReadonlyMap<CouncilModel, string> {
  const own = [...texts].map(([{ model }, stated]): [CouncilModel, string] => {
    const shown = new Set(stated.map(itemText));
    return [model, chosen.filter(statement => shown.has(statement)).join(' ')];
  });
  return new Map(own.filter(([, text]) => text !== '' && !quotesOdds(text) && !pricesEvent(text, event)));
}

function itemText(statement: string): string {
  return oneLine(statement, itemMaxChars);
}

interface ComposedText {
  readonly chosen: readonly string[];
  readonly odds: number;
  readonly beyond: number;
}

/**
 * Joins different statements while they fit. What was harmless by itself and quotes odds beside the others is left out,
 * so that the text as a whole passes the filter.
 */
function composedText(statements: readonly string[], event: MarketEvent): ComposedText {
  const chosen: string[] = [];
  let [odds, beyond] = [0, 0];
  for (const statement of new Set(statements.map(itemText))) {
    const longer = [...chosen, statement].join(' ');
    if (longer.length > itemMaxChars) beyond += 1;
    else if (quotesOdds(longer) || pricesEvent(longer, event)) odds += 1;
    else chosen.push(statement);
  }
  return { chosen, odds, beyond };
}

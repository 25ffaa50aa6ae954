import type { Market } from '../event.js';
import { at } from '../numbers.js';
import { type MarketStatement, readMarketStatement, type SlotKind } from './statement.js';
import { strikeLadders } from './strike-ladders.js';

/**
 * Indices of outcomes that imply one another, the weakest claim first: whenever one is YES, so is each before it.
 * Probabilities therefore never increase along a ladder.
 */
export type Ladder = readonly number[];

/**
 * Finds ladders such as `above 60`, `above 70` or `by March`, `by June` among independent markets.
 *
 * Markets form a ladder if their questions, or else their names, are the same text except for one value: a number
 * (with k, m, bn, thousand, million …) or a date. The words beside that value give the direction:
 * - above, over, at least, more than, exceeds, ≥, >, ↑, `60 or more`, `60+`: less probable the larger the number;
 * - below, under, at most, less than, ≤, <, ↓, `60 or less`: more probable the larger the number;
 * - by, before, by the end of, followed by a date or a year: more probable the later the date.
 *
 * In doubt there is no ladder: no or two directions, two values that vary, equal values, different forms of a date, a
 * negation, a state that has to last until a date, a date without a year whose market does not end near it.
 *
 * A market whose venue states its strike as data is not read: see {@link strikeLadders}.
 *
 * @returns at most one ladder for each market
 */
export function laddersOf(markets: readonly Market[]): Ladder[] {
  const read = (market: Market, text: string) =>
    market.strike === undefined ? readMarketStatement(text, market.closesAt) : null;
  const byQuestion = laddersIn(markets.map(market => read(market, market.question)));
  const taken = new Set(byQuestion.flat());
  const byName = laddersIn(
    markets.map((market, index) => (taken.has(index) ? null : read(market, market.name))),
  );
  return [...strikeLadders(markets), ...byQuestion, ...byName];
}

type Row = MarketStatement & { readonly index: number };

function laddersIn(statements: readonly (MarketStatement | null)[]): Ladder[] {
  const groups = new Map<string, Row[]>();
  for (const [index, statement] of statements.entries()) {
    if (statement === null) continue;
    const { template } = statement;
    groups.set(template, [...(groups.get(template) ?? []), { ...statement, index }]);
  }
  return [...groups.values()].flatMap(rows => ladderOf(rows));
}

function ladderOf(rows: readonly Row[]): Ladder[] {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return [];
  const varying = first.values.flatMap((value, slot) =>
    rows.every(row => at(row.values, slot) === value) ? [] : [slot],
  );
  const [slot] = varying;
  if (slot === undefined || varying.length > 1) return [];
  const valueOf = (row: Row) => at(row.values, slot);
  const values = rows.map(valueOf);
  const rising = risesWith(first, slot);
  if (rising === null || values.includes(null) || new Set(values).size < rows.length) return [];
  const upwards = [...rows].sort((a, b) => (valueOf(a) ?? 0) - (valueOf(b) ?? 0)).map(({ index }) => index);
  return [rising ? upwards.toReversed() : upwards];
}

/** Whether the statement is the more probable the larger the value in this slot; null if the words do not say so. */
function risesWith({ template, kinds, values }: MarketStatement, slot: number): boolean | null {
  if (negation.test(template)) return null;
  const kind = at(kinds, slot);
  const before = textBefore(template, slot);
  if (isDate(kind, at(values, slot)) && deadline.test(before)) return lasting.test(template) ? null : true;
  if (kind !== 'number') return null;
  const after = textAfter(template, slot);
  const isMore = moreBefore.test(before) || moreAfter.test(after);
  const isLess = lessBefore.test(before) || lessAfter.test(after);
  return isMore === isLess ? null : isLess;
}

function isDate(kind: SlotKind, value: number | null): boolean {
  if (kind !== 'number') return true;
  return value !== null && Number.isInteger(value) && value >= 1900 && value < 2200;
}

function textBefore(template: string, slot: number): string {
  return at(template.split(anySlot), slot)
    .trimEnd()
    .replace(/[$€£¥₹]$/, '')
    .trimEnd();
}

function textAfter(template: string, slot: number): string {
  return at(template.split(anySlot), slot + 1);
}

const anySlot = /⟦[a-z]+⟧/;

const moreBefore =
  /(?:\b(?:above|over|at least|(?:more|greater|higher) than(?: or equal to)?|exceed(?:s|ing)?)|[≥>↑])$/;
const lessBefore = /(?:\b(?:below|under|at most|(?:less|fewer|lower) than(?: or equal to)?)|[≤<↓])$/;
/** A unit of one word may stand between the number and these: `60 dollars or more`, `60% or more`. */
const moreAfter = /^(?:\+(?!\w)|\s?[%\p{L}°]* or (?:more|higher|above|greater)\b)/u;
const lessAfter = /^\s?[%\p{L}°]* or (?:less|fewer|lower|below)\b/u;
const deadline = /\b(?:by|before)(?: (?:the )?end of)?$/;

const negation =
  /\b(?:not|no|never|none|without|neither|nor|except|unless|fail\w*|exactly|between|first)\b|n['’]t\b/;
/** "Still in office by June" is the less probable the later the date. */
const lasting = /\b(?:still|remain\w*|stay\w*|continu\w*|keep\w*|hold\w*|last\w*|surviv\w*|until|through)\b/;

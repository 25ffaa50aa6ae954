import { oddsWords } from './odds-words.js';
import type { Span } from './sentences.js';
import { alternatives, WordFinder, type WordText } from './word-finder.js';

/** Whether a number in the form of a price or of odds occurs. */
export function statesPrice(read: WordText): boolean {
  if (percent.isIn(read)) return true;
  const withoutDates = read.text.replace(noPrice, ' ');
  return priceForms.some(form => form.test(withoutDates));
}

/**
 * Where numbers stand that can be a probability beside a subject that prices: the forms of {@link statesPrice}, and those
 * that only such a subject makes one, such as `two-thirds`, `a coin flip` and the level in `closed at 66`.
 */
export function* pricesIn(read: WordText): Generator<Span> {
  const masked = read.text.replace(noPrice, found => ' '.repeat(found.length));
  for (const form of assignedForms) {
    for (const { index, 0: found } of masked.matchAll(form))
      yield { start: index, end: index + found.length };
  }
}

/** Whether a text says what its numbers measure: a poll, a rate, a share of votes. */
export function isMeasured(read: WordText): boolean {
  return measured.isIn(read);
}

const number = alternatives(oddsWords.oddsNumbers);
const joint = alternatives(oddsWords.oddsJoints);

const priceForms: readonly RegExp[] = [
  /%/,
  // 62¢, 62c, 62 cents, sixty-two cents
  /¢|\d\s?(?:c|ct|cts|p)(?![\p{L}\p{N}])|(?<!\p{L})(?:cents?|centavos?|centimos?|centimes?)(?!\p{L})|美分|セント|센트/u,
  // 0.618, .62, 1.61, 0,62; but 2,400 is a count
  /(?<![\d.,])(?![1-9]\d{0,2},\d{3}(?!\d))\d{0,3}[.,]\d{1,4}(?!\d|[.,]\d)/,
  // 8/13
  /(?<![\d/])\d{1,4}\s?\/\s?\d{1,4}(?![\d/])/,
  // 8:13, 2 to 1, 11-10
  /(?<![\d:])\d{1,4}(?:\s(?:to|zu|a|contre|contra|na|до)\s|-to-|\s?:\s?|[赔賠比对])\d{1,3}(?![\d%:])/,
  // two to one, drei zu eins
  new RegExp(String.raw`(?<!\p{L})(?:${number})[\s-](?:${joint})[\s-](?:${number})(?!\p{L})`, 'u'),
  // 3 in 5, two in three, two chances in three
  /(?<![\p{L}\d])(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine)[\s-](?:chances\s)?(?:in|out of)[\s-](?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\d])/u,
  // -162, +240
  /(?<![\p{L}\p{N}])[+-]\d{3,5}(?!\d)/u,
  // 六成, 6割
  /[一二三四五六七八九\d][成割]/,
];

/** Dates, seasons, amounts and measures that look like prices. */
const noPrice =
  /(?<!\d)(?:24\/7|9\/11|\d{4}\/\d{2,4}|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,4}(?:[.,]\d{1,3})?\s?(?:(?:m|b|tr)illion|millones|milliard|milliarden|millionen|mrd|mio|bn|km|mph|kg|meters|metres|万|亿))/g;

const assignedForms: readonly RegExp[] = [
  ...priceForms.map(form => form.source),
  String.raw`(?<!\p{L})(?:${alternatives(oddsWords.percentWords)})(?!\p{L})`,
  String.raw`(?<!\p{L})(?:${alternatives(oddsWords.fractionWords)})(?!\p{L})`,
  // twee op drie, deux sur trois
  String.raw`(?<!\p{L})(?:${number})\s(?:${alternatives(oddsWords.shareJoints)})\s(?:${number})(?!\p{L})`,
  // closed at 66, 62 bid
  String.raw`(?<=(?<!\p{L})(?:at|for|bei|zu|a|na)\s)\d{1,2}(?=[.,;]?(?:$|\s(?!\d)))`,
  String.raw`(?<![\d.,$])\d{1,2}\s(?:bid|offered|asked)(?!\p{L})`,
  // a 62-38 proposition
  String.raw`(?<![\d-])\d{2}-\d{2}(?![\d-])`,
].map(source => new RegExp(source, 'gu'));

const percent = new WordFinder(oddsWords.percentWords);
const measured = new WordFinder(oddsWords.measuredWords);

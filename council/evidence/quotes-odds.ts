import { assignsPrice, continuesPricing, hasOwnNumber, namesPricer } from './assigned-price.js';
import { foldText } from './fold-text.js';
import { statesOdds } from './odds-forms.js';
import { oddsWords } from './odds-words.js';
import { isMeasured, statesPrice } from './price-forms.js';
import { sentencesOf } from './sentences.js';
import { NounAndVerbFinder, WordFinder, type WordText, wordTextOf } from './word-finder.js';

/**
 * Whether a text states what a market, a bookmaker or bettors think of an outcome, in numbers or in words. It finds
 * what news quote, not what somebody hides on purpose. Polls, rates, scores, vote shares and what stock, labour and
 * housing markets do are no such statements. In doubt the text quotes odds: a lost fact costs less than a price that is
 * read.
 */
export function quotesOdds(text: string): boolean {
  return oddsAmong(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).includes(true);
}

/**
 * Which of the consecutive sentences of a text quote odds. A sentence with a price does so too if it follows one that
 * speaks of odds: `Bettors disagree. They give Canada 62 %.`, or a list below the heading `Betting odds`.
 */
export function oddsAmong(sentences: readonly string[]): boolean[] {
  let followsOdds = false;
  let belowOdds = false;
  let before: WordText | null = null;
  return sentences.map(sentence => {
    const read = readSentence(sentence);
    const isHeading = headingStart.test(sentence);
    if (isHeading) belowOdds = read.isAboutOdds;
    const continues = (followsOdds || belowOdds) && read.hasPrice && !isMeasured(read.text);
    const goesOn = before !== null && continuesPricing(read.text) && (followsOdds || namesPricer(before));
    const quotes = read.quotesOdds || continues || goesOn;
    followsOdds = read.isAboutOdds || quotes;
    before = read.text;
    return quotes;
  });
}

/** Whether a text holds a number in the form of a price, whatever it speaks of. */
export function statesAnyPrice(text: string): boolean {
  return statesPrice(wordTextOf(foldText(text)));
}

const headingStart = /^(?:#{1,6}\s|\*\*[^*]{1,200}\*\*:?$)/;

interface SentenceReading {
  readonly quotesOdds: boolean;
  readonly isAboutOdds: boolean;
  readonly hasPrice: boolean;
  readonly text: WordText;
}

function readSentence(sentence: string): SentenceReading {
  const read = idiom.without(wordTextOf(foldText(sentence)));
  const hasPrice = statesPrice(read);
  const isAboutOdds = consensus.isIn(read) || venue.isIn(read);
  const isInstitutional = institutional.isIn(read) && (!hasPrice || isCompanyResult(read));
  return {
    quotesOdds: (isAboutOdds && !isInstitutional) || isMarketsView(read, hasPrice) || statesOdds(read),
    isAboutOdds,
    hasPrice,
    text: read,
  };
}

/** `The betting company said revenue grew 19 percent`: only a company speaks of betting, and every number measures something. */
function isCompanyResult(read: WordText): boolean {
  const isOnlyCompany =
    !consensus.isIn(company.without(read)) && !venue.isIn(read) && !probability.isIn(read);
  return isOnlyCompany && isMeasured(read) && !hasOwnNumber(read);
}

/** Words such as `market`, which need a probability beside them. */
function isMarketsView(sentence: WordText, hasPrice: boolean): boolean {
  const read = otherMarket.without(sentence);
  if (!subject.isIn(read)) return false;
  if (belief.isIn(read) || assignsPrice(read)) return true;
  if (!hasPrice || !market.isIn(read)) return false;
  if (probability.isIn(read)) return true;
  return !isMeasured(read) && (!movement.isIn(read) || movedTo.test(read.text));
}

/** `the market to 62 %`: a level, where stock markets move by a percentage. */
const movedTo =
  /(?<!\p{L})(?:to|at|auf|bei|a|al|en|至|到)\s?(?:around |about |just |rund |etwa |el |un )?\d{1,2}(?:[.,]\d{1,4})?\s?(?:%|percent|per cent|¢|c(?!\p{L})|cents)/u;

const consensus = new WordFinder(oddsWords.consensusWords);
const venue = new WordFinder(oddsWords.venues);
const idiom = new WordFinder(oddsWords.idioms);
const institutional = new WordFinder(oddsWords.institutionalWords);
const company = new WordFinder(oddsWords.companyWords);
const subject = new WordFinder([...oddsWords.marketWords, ...oddsWords.pricers]);
const market = new WordFinder(oddsWords.marketWords);
const otherMarket = new WordFinder(oddsWords.otherMarkets);
const probability = new WordFinder(oddsWords.probabilityWords);
const movement = new WordFinder(oddsWords.movementWords);
const belief = new NounAndVerbFinder(oddsWords.marketBeliefs);

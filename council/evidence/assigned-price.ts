import { oddsWords } from './odds-words.js';
import { isMeasured, pricesIn } from './price-forms.js';
import type { Span } from './sentences.js';
import { alternatives, WordFinder, type WordText, wordTextOf } from './word-finder.js';

/**
 * Whether a subject that prices outcomes assigns a number to one: `Traders give Harris 66 percent before the vote.` Only
 * a number that itself measures something is none: in `66 percent of the vote` it is a share, in `growth of 2 percent` a
 * rate. That the sentence speaks of votes or rates elsewhere says nothing about the number.
 */
export function assignsPrice(read: WordText): boolean {
  const view = viewOf(pricers, read);
  return view !== null && holdsPrice(read, view);
}

/** Whether a sentence goes on about the subjects of the one before: `They give Canada 62 percent.` */
export function continuesPricing(read: WordText): boolean {
  const view = viewOf(plurals, read);
  return view?.isAssigned === true && holdsPrice(read, view);
}

/** Whether a subject that prices outcomes is named. */
export function namesPricer(read: WordText): boolean {
  return pricers.isIn(read);
}

/** Whether a number in the form of a price measures nothing itself. */
export function hasOwnNumber(read: WordText): boolean {
  return [...pricesIn(read)].some(price => !isMeasuredNumber(read, price));
}

function holdsPrice(read: WordText, { start, isAssigned }: View): boolean {
  for (const price of pricesIn(read)) {
    const isBehind = price.end > start && (isAssigned || isPlaced(read, price));
    if (isBehind && !isMeasuredNumber(read, price)) return true;
  }
  return false;
}

/** How many words may stand between the subject and its verb, on either side. */
const verbMaxWordsAfter = 7;
const verbMaxWordsBefore = 2;
/** How far the phrase of a number reaches on each side. */
const phraseMaxWords = 4;
const phraseMaxChars = 60;
/** The same in scripts without spaces. */
const phraseMaxCharacters = 5;

/** What a subject that prices outcomes says. */
interface View {
  /** Numbers behind this index are the subject's; 0 if it is the source of the whole sentence. */
  readonly start: number;
  /** Whether a verb says so. Without one, the number itself has to stand where a price does. */
  readonly isAssigned: boolean;
}

function viewOf(subjects: WordFinder, read: WordText): View | null {
  // Without spaces, a verb belongs to the sentence's subject wherever it stands.
  if (read.hasUnspaced) return subjects.isIn(read) ? { start: 0, isAssigned: verbs.isIn(read) } : null;
  let spans: readonly Span[] | null = null;
  let view: View | null = null;
  for (let index = 0; index < read.words.length; index += 1) {
    const length = subjects.lengthAt(read.words, index);
    if (length === 0) continue;
    spans ??= [...read.text.matchAll(word)].map(found => ({
      start: found.index,
      end: found.index + found[0].length,
    }));
    const start = assignedFrom(read, spans, { first: index, next: index + length });
    if (start !== null) return { start, isAssigned: true };
    view ??= { start: spans[index + length - 1]?.end ?? 0, isAssigned: false };
  }
  return view;
}

/** Where the numbers begin that the subject at these words assigns; null if no verb of assigning stands beside it. */
function assignedFrom(
  { text, words }: WordText,
  spans: readonly Span[],
  { first, next }: { readonly first: number; readonly next: number },
): number | null {
  const end = spans[next - 1]?.end ?? 0;
  for (let index = first - 1; index >= Math.max(0, first - verbMaxWordsBefore - 1); index -= 1) {
    if (isApart(text, spans[index], spans[first])) break;
    if (attributions.lengthAt(words, index) > 0) return 0;
    if (index >= first - verbMaxWordsBefore && verbs.lengthAt(words, index) > 0) return end;
  }
  if (copulas.lengthAt(words, next) > 0 && !isApart(text, spans[next - 1], spans[next])) return end;
  for (let index = next; index <= next + verbMaxWordsAfter; index += 1) {
    if (isApart(text, spans[next - 1], spans[index])) break;
    if (verbs.lengthAt(words, index) > 0 && determiners.lengthAt(words, index - 1) === 0) return end;
  }
  return null;
}

/** Whether a number stands where a price does: `at 66 percent`, `66 percent for a cut`. */
function isPlaced({ text }: WordText, { start, end }: Span): boolean {
  const before = wordsOf(text.slice(Math.max(0, start - phraseMaxChars), start).replace(ownNumber, ''));
  const after = wordsOf(text.slice(end, end + phraseMaxChars).replace(percentSign, ''));
  return isAt(levels, before, -1) || views.lengthAt(after, 0) > 0;
}

/** Whether a clause ends between two words. */
function isApart(text: string, from: Span | undefined, to: Span | undefined): boolean {
  return from === undefined || to === undefined || clauseEnd.test(text.slice(from.end, to.start));
}

function isMeasuredNumber({ text, hasUnspaced }: WordText, { start, end }: Span): boolean {
  if (amount.test(text.slice(Math.max(0, start - 2), end))) return true;
  const left = text.slice(Math.max(0, start - phraseMaxChars), start);
  const right = text.slice(end, end + phraseMaxChars);
  if (!hasUnspaced) return isMeasuredAfter(right) || isMeasuredBefore(left);
  const beside = wordTextOf(`${left.slice(-phraseMaxCharacters)} ; ${right.slice(0, phraseMaxCharacters)}`);
  return isMeasured(beside) || movements.isIn(beside);
}

/** `66 percent of the vote`, `62 percent turnout`, `78.62 dollars`, `2 percent higher` */
function isMeasuredAfter(right: string): boolean {
  const [phrase = ''] = right.replace(percentSign, '').split(phraseEnd);
  const words = wordsOf(phrase).slice(0, phraseMaxWords + 1);
  const ofLength = partitives.lengthAt(words, 0);
  const end = words.findIndex((_, index) => index >= ofLength && endsPhrase(words, index, ofLength));
  const own = words.slice(ofLength, end === -1 ? words.length : end);
  if (ofLength > 0) return isMeasured(asText(own)) && own[0]?.endsWith('ing') !== true;
  return isMeasured(asText(own)) || units.lengthAt(own, 0) > 0 || movements.isIn(asText(own.slice(0, 2)));
}

/** Another noun phrase begins: `80 percent for a cut`, `al 80 % una bajada`. */
function endsPhrase(words: readonly string[], index: number, ofLength: number): boolean {
  return separators.lengthAt(words, index) > 0 || (ofLength === 0 && determiners.lengthAt(words, index) > 0);
}

/** `growth of 2 percent`, `down 3 percent`, `rates falling to 2 percent`; but `a vote at 66 percent` is a price. */
function isMeasuredBefore(left: string): boolean {
  const phrase = left.replace(ownNumber, '').split(phraseEnd).at(-1) ?? '';
  let words = wordsOf(phrase);
  while (words.length > 0 && approximations.lengthAt(words, words.length - 1) > 0) words = words.slice(0, -1);
  if (isAt(movements, words, -1) || isAt(differences, words, -1)) return true;
  const isOf = isAt(partitives, words, -1);
  if (isOf && isAt(movements, words, -2)) return true;
  const isTo = isAt(towards, words, -1) && isAt(movements, words, -2);
  if (!isOf && !isTo && !isAt(reached, words, -1)) return false;
  const before = words.slice(0, -1).slice(-phraseMaxWords);
  const end = before.findLastIndex((_, index) => separators.lengthAt(before, index) > 0);
  return isMeasured(asText(isTo ? before : before.slice(end + 1)));
}

function isAt(finder: WordFinder, words: readonly string[], index: number): boolean {
  return finder.lengthAt(words, words.length + index) > 0;
}

function wordsOf(text: string): readonly string[] {
  return wordTextOf(text).words;
}

function asText(words: readonly string[]): WordText {
  return { text: '', words, hasUnspaced: false };
}

const word = /[\p{L}\p{N}\p{M}]+/gu;
/** A share in an outcome never costs more than one dollar. */
const amount = /^.?[$€£]\s?[1-9]/u;
const phraseEnd = /[,;:!?()"]|\.\s|\.$/u;
const clauseEnd =
  /[;:!?()]|\s(?:as|while|when|after|because|since|although|which|als|weil|nachdem|wahrend|alors|quand|cuando|mientras|mentre|terwijl)\s|,\s(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar)\s/u;
/** What a number's own form leaves on each side. */
const percentSign = new RegExp(
  String.raw`^\s?(?:%|(?:${alternatives(oddsWords.percentWords)})(?!\p{L}))`,
  'u',
);
const ownNumber = /[\d.,$€£\s-]+$/u;

const pricers = new WordFinder(oddsWords.pricers);
const plurals = new WordFinder(oddsWords.plurals);
const verbs = new WordFinder(oddsWords.assigningWords);
const attributions = new WordFinder(oddsWords.attributions);
const copulas = new WordFinder(oddsWords.copulas);
const determiners = new WordFinder(oddsWords.determiners);
const approximations = new WordFinder(oddsWords.approximations);
const partitives = new WordFinder(oddsWords.partitives);
const separators = new WordFinder(oddsWords.separators);
const levels = new WordFinder(oddsWords.levels);
const views = new WordFinder(oddsWords.views);
const units = new WordFinder(oddsWords.units);
const movements = new WordFinder(oddsWords.movementWords);
const reached = new WordFinder(oddsWords.reachingWords);
const towards = new WordFinder(oddsWords.towards);
const differences = new WordFinder(oddsWords.differences);

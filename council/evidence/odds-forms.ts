import { oddsWords } from './odds-words.js';
import { isMeasured } from './price-forms.js';
import { alternatives, WordFinder, type WordText } from './word-finder.js';

/**
 * Whether a text has a form that only odds, payouts and contracts on an outcome have: `62¢`, `a 5-2 outsider`, `+250 to
 * win`, `pays $1.60 for every dollar`, `Yes is trading at 62`.
 */
export function statesOdds(read: WordText): boolean {
  if (numberForms.some(form => form.test(read.text))) return true;
  if (moneyline.test(read.text) && probability.isIn(read)) return true;
  if (!formWord.isIn(read) && !currencySign.test(read.text)) return false;
  return wordForms.some(form => form.test(read.text)) || (yesAndNo.test(read.text) && !isMeasured(read));
}

const currency = alternatives(oddsWords.currencies);
const paid = String.raw`(?<!\p{L})(?:${alternatives(oddsWords.payVerbs)})(?!\p{L})`;
const amountOrNumber = String.raw`(?:\d|(?:${alternatives(oddsWords.oddsNumbers)})(?!\p{L}))`;
const decimalOrFraction = String.raw`\d{1,3}[./]\d{1,2}`;
const towards = String.raw`(?:in\s|out\s)?(?:to|into)\s`;
const yes = '(?:yes|ja|oui|si|sim|да)';
const no = '(?:no|nein|non|nao|нет)';
const level = String.raw`(?:(?:at|bei|zu|a|na)\s)?\d{1,2}`;

const numberForms: readonly RegExp[] = [
  // 62¢. This form leaves out what is sold in cents.
  /\d\s?¢(?!\s?(?:\/|per |an? |each|more|less|off|kwh))/,
  // 5-2 outsider, 13/8 on
  /(?<![\d-])\d{1,3}[-/]\d{1,2}\s(?:on(?! )|favou?rites?|outsiders?|shots?|longshots?|underdogs?)(?!\p{L})/u,
  // 1.44 in running
  /\d\.\d{1,2}\s(?:in[\s-]running|in play)(?!\p{L})/u,
  // sent off at 9-2
  /(?<!\p{L})(?:sent|went|go(?:es)?|going)\soff\s(?:at|as|the|a)\s(?:a\s|the\s)?\d{1,3}[-/]\d{1,2}(?![\d/-])/u,
  // with the total set at 44.5
  /(?<!\p{L})(?:total|over[\s-]under)\s(?:is\s|was\s)?(?:set|listed|posted|pegged|opened)\sat\s\d{2,3}(?:\.5)?(?=[.,;]?(?:$|\s(?:for|in|by|after|before|and|but|at|on|points|goals|runs)(?!\p{L})|[.,;]\s))/u,
  // 7/1 against a draw
  /(?<![\d/])\d{1,3}\/\d{1,2}\s(?:against|about)\s/u,
];

/** The words that these forms are tried for: most sentences have none. */
const formWord = new WordFinder([
  ...oddsWords.currencies,
  ...'yes no ja nein oui non si sim nao да нет shorten* drift* lengthen* steam* come came from'.split(' '),
  ...'get offer offers back take lay quote quotes price prices priced stake stakes staked staking'.split(' '),
  ...'bought buying getting got'.split(' '),
]);
const currencySign = /[$€£]/;

const moved = String.raw`(?:${alternatives(oddsWords.movementWords)}|moved|went|soared|leapt|slumped|crashed)`;

const wordForms: readonly RegExp[] = [
  // get 7/1 on a draw, the price has halved to 3/1
  /(?<!\p{L})(?:get|offers?|back|take|lay|quotes?|price[sd]?\s[^.;]{1,40})\s\d{1,3}\/\d{1,2}(?![\d/])/u,
  // from 2/1 into 6/4, from -110 to -150
  /(?<!\p{L})from\s(?:\d{1,3}\/\d{1,2}\s(?:out to|in to|to|into)\s\d{1,3}\/\d|[+-]\d{3,4}\s(?:to|into)\s[+-]\d{3})/u,
  // contracts on a shutdown surged from 22 to 57
  ofForm`(?<!\p{L})contracts?\s(?:on|for|that|tied\sto|linked\sto)\s[^.;]{1,80}\s${moved}\sfrom\s\d{1,2}\sto\s\d{1,2}(?=[.,;]?$|[.,;]\s|\s(?:in|on|within|over|after|before|as|by|overnight|since|when|while|following|at|and|but)(?!\p{L}))`,
  // an account stands to collect $2.1 million; the foundation that does is no trader
  ofForm`(?<!\p{L})(?:accounts?|wallets?|users?|traders?|gamblers?|speculators?)\sstands?\sto\s(?:collect|win|make|earn|gain|pocket|net)\s[$€£]`,
  // bought in at 12 cents; but an investor at 12 cents a share
  /(?<!\p{L})(?:bought|buying|got|getting)\sin\sat\s(?:just\s|about\s|around\s)?\d{1,2}\s(?:cents|c)(?!\p{L}|\s(?:a|per)\s)/u,
  // shortened from 2.1 to 1.7, drifted to 3/1; but a current drifts to 3.4 knots
  ofForm`(?<!\p{L})(?:shorten|drift|lengthen|steam|c[ao]me\sin)\p{L}*\s(?:in\s|out\s)?(?:from|to|into)\s${decimalOrFraction}(?:\s${towards}${decimalOrFraction})?(?!\s?(?:%|percent|[./]?\d|${towards}\d|(?:${alternatives(oddsWords.units)})(?!\p{L})|\p{L}+s(?!\p{L})))`,
  // Yes is trading at 62, the No side changed hands at 39
  ofForm`(?<!\p{L})(?:${yes}|${no})(?:\s(?:side|shares?|contracts?))?(?:\s[\p{L}\d']{1,20}){0,3}?[\s'](?:(?:trad(?:ing|es|ed)|quoted|priced|sell(?:s|ing)|sold)\s(?:at|for)|chang(?:es?|ed|ing)\shands|gehandelt|notier(?:t|en)|negocian?|cotizan?|echange(?:nt)?|scambia(?:no)?|торгу[юе]тся)(?!\p{L})`,
  // pays $1.60 for every dollar; ten dollars on Canada win six
  ofForm`${paid}[^.;]{0,12}\d[^;]{0,30}\s(?:${alternatives(oddsWords.stakes)})\s(?:[$€£]|(?:\p{L}{1,12}\s)?(?:${currency})(?!\p{L}|\sof\s))`,
  ofForm`(?<!\p{L})(?:a|one|five|ten|twenty|every|each|\d+|ein|zehn|jeder|un|cada|chaque|ogni)\s(?:${currency})\s(?:on|auf|sur|en|em|su|op)\s[^;]{1,40}${paid}[^;]{0,12}?${amountOrNumber}`,
  // for every dollar staked, a $10 bet, risk $162 to win $100
  ofForm`(?<!\p{L})(?:${currency})\s(?:${alternatives(oddsWords.stakedWords)})(?!\p{L})`,
  /[$€£]\d[\d,.]*\s(?:bets?|stakes?|wagers?|flutter|punt)(?!\p{L}|\sin\s)|(?<!\p{L})stak(?:es?|ed|ing)\s[$€£]?\d|[$€£]\d+\sto\swin\s[$€£]?\d/u,
  // pays a dollar if Canada wins
  /(?<!\p{L})(?:a|one|1)\sdollar\sif\s|\$1(?:\.00)?\sif\s/u,
];

/** `+250 to win` */
const moneyline = /(?<![\p{L}\p{N}])[+-]\d{3,4}(?![\d,.])/u;
const probability = new WordFinder(oddsWords.probabilityWords);

/** `Yes at 62, no at 39` */
const yesAndNo = ofForm`(?<!\p{L})${yes}\s${level}(?![\d%.]).{1,20}(?<!\p{L})${no}\s${level}(?!\d)`;

function ofForm(parts: TemplateStringsArray, ...values: readonly string[]): RegExp {
  return new RegExp(String.raw(parts, ...values), 'u');
}

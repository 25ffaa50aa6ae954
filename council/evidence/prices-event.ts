import type { MarketEvent } from '../event.js';
import { foldText } from './fold-text.js';
import { isMeasured, statesPrice } from './price-forms.js';
import { wordTextOf } from './word-finder.js';

/**
 * Whether a text names the event or one of its markets and states a price beside it, as a copy of the market's page
 * does: `Will Canada win the cup? 62 %`. No word of such a page needs to speak of a market.
 */
export function pricesEvent(text: string, event: MarketEvent): boolean {
  const folded = plain(text);
  return namesOf(event).some(name => {
    const start = folded.indexOf(name);
    if (start === -1) return false;
    const before = folded.slice(Math.max(0, start - besideChars), start);
    const after = folded.slice(start + name.length, start + name.length + besideChars);
    const beside = wordTextOf(`${before} ; ${after}`);
    return statesPrice(beside) && !isMeasured(beside);
  });
}

/** Folded once for an event, because each of its texts is searched for them. */
const namesByEvent = new WeakMap<MarketEvent, readonly string[]>();

function namesOf(event: MarketEvent): readonly string[] {
  const known = namesByEvent.get(event);
  if (known !== undefined) return known;
  const names = new Set([event.title, ...event.markets.map(({ question }) => question)].map(plain));
  const long = [...names].filter(name => name.split(' ').length >= nameMinWords);
  namesByEvent.set(event, long);
  return long;
}

/** A shorter name is a phrase that any text may hold. */
const nameMinWords = 3;

/** How far from the name a price belongs to it. */
const besideChars = 60;

/** Removes the punctuation that copies of a title differ in. */
function plain(text: string): string {
  return foldText(text)
    .replace(/[?!"“”„«»|]|\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

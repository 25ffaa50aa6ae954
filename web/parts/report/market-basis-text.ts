import type { RuntimeView } from '../../../contract/runtime.js';

/** How prices became the market's probabilities, and whether they could be. */
export function marketBasisText(
  runtime: Pick<RuntimeView, 'market_implied_basis' | 'market_trustworthy'>,
): string {
  switch (runtime.market_implied_basis) {
    case 'normalised':
      return `The market’s are the middle of bid and ask, scaled to add up to 100 % too.${thin(runtime)}`;
    case 'independent':
      return `The market’s are the middle of bid and ask, each taken by itself.${thin(runtime)}`;
    case 'sum_out_of_range':
      return 'The market’s prices add up to too much or too little to stand for probabilities, so none are shown.';
    case 'no_price':
      return 'The market has no price for any of them.';
  }
}

function thin({ market_trustworthy: trustworthy }: Pick<RuntimeView, 'market_trustworthy'>): string {
  return trustworthy ? '' : ' Its book is too thin to hold against the council.';
}

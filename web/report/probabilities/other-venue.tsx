import { otherVenueText } from '../../../contract/report-text/other-venue-text.js';
import type { OtherVenuePriceView } from '../../../contract/reports.js';
import { minute, withNoBreak } from '../../shared/format.js';
import { isLinkable } from '../sources/page-link.js';

/** A line for each outcome that another venue priced when the report was completed, with a link to the venue. */
export function OtherVenue({ prices }: { readonly prices: readonly OtherVenuePriceView[] }) {
  return prices.map(price => {
    const text = withNoBreak(otherVenueText(price, { timeOf: minute }));
    return (
      <p key={price.slug} className="small">
        {price.url !== null && isLinkable(price.url) ? (
          <a href={price.url} rel="noreferrer">
            {text}
          </a>
        ) : (
          text
        )}
        .
      </p>
    );
  });
}

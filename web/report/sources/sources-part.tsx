import type { DeliberationView, EvidenceView } from '../../../contract/deliberation.js';
import {
  finderText,
  searchedInVain,
  searcherText,
  searchLines,
  sourceDate,
} from '../../../contract/report-text/evidence-text.js';
import { counted, day, memberName, minute } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import { type CitedClaim, claimsCiting, type Source, sourceAnchor } from './claims.js';
import { isLinkable } from './page-link.js';

interface SourcesPartProps {
  readonly evidence: EvidenceView;
  readonly opinions: DeliberationView['opinions'];
}

/** What the members looked up: each source with what is cited to it and the claims that cite it, and what was left out. */
export function SourcesPart({ evidence, opinions }: SourcesPartProps) {
  const { items, not_found: notFound = [], as_of: asOf } = evidence;
  return (
    <FoldedPart id="sources" title="Sources" inside={insideText(evidence)}>
      <p>
        Members searched the web on <time dateTime={asOf}>{minute(asOf)}</time>, before their opinions.
        {items.length === 0
          ? ''
          : ' Each read what it had found itself; a member that had found nothing read all of it.'}
      </p>
      {searchLines(evidence, items.length, memberName).map(line => (
        <p key={line}>{line}</p>
      ))}
      {items.length === 0 ? null : (
        <ol className="sources">
          {items.map(item => (
            <SourceEntry key={item.id} source={item} citing={claimsCiting(item.id, opinions)} />
          ))}
        </ol>
      )}
      {notFound.length === 0 ? null : <NotFoundList lines={notFound} />}
    </FoldedPart>
  );
}

/** In the words of the members, as plain text. */
function NotFoundList({ lines }: { lines: NonNullable<EvidenceView['not_found']> }) {
  return (
    <>
      <p>{searchedInVain}</p>
      <ul>
        {lines.map(line => (
          <li key={line.text}>
            {line.text} <span className="muted small">{searcherText(line, memberName)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** "12 pages from 7 searches" */
function insideText({ items, searches }: EvidenceView): string {
  return `${counted(items.length, 'page')} from ${counted(searches, 'search', 'searches')}`;
}

/** Title and text come from the web: they are rendered as plain text. */
function SourceEntry({ source, citing }: { source: Source; citing: readonly CitedClaim[] }) {
  return (
    <li id={sourceAnchor(source.id)}>
      <span className="source-id">{source.id}</span>
      <div>
        <p className="source-title">
          <SourceTitle source={source} />
        </p>
        <p className="muted small">
          {source.domain}, <SourceDate source={source} />
          {isLinkable(source.url)
            ? ''
            : `. Not linked, because its address is not plain https: ${source.url}`}
        </p>
        <p className="as-written on-screen">{source.text}</p>
        <p className="muted small">
          {finderText(source, memberName)} <CitedBy claims={citing} />
        </p>
      </div>
    </li>
  );
}

function SourceTitle({ source: { title, url } }: { source: Source }) {
  if (!isLinkable(url)) return title ?? 'Untitled';
  return (
    <a href={url} rel="nofollow noopener noreferrer">
      {title ?? url}
    </a>
  );
}

function SourceDate({ source }: { source: Source }) {
  const { published_at: date } = source;
  return date === null ? sourceDate(source) : <time dateTime={date}>{day(date)}</time>;
}

/** Links to the claims: "Cited by Claude, Claude (2), Grok." */
function CitedBy({ claims }: { claims: readonly CitedClaim[] }) {
  if (claims.length === 0) return 'Cited by no member.';
  return (
    <>
      Cited by{' '}
      {claims.map(({ model, anchor }, index) => (
        <span key={anchor}>
          {index === 0 ? '' : ', '}
          <a href={`#${anchor}`}>{citingName(claims.slice(0, index + 1), model)}</a>
        </span>
      ))}
      .
    </>
  );
}

/** The name of a member, with a number from its second claim on. */
function citingName(until: readonly CitedClaim[], model: CitedClaim['model']): string {
  const count = until.filter(claim => claim.model === model).length;
  return count === 1 ? memberName(model) : `${memberName(model)} (${count})`;
}

import type { OpinionView } from '../../../contract/deliberation.js';
import { ownKnowledge } from '../../../contract/report-text/evidence-text.js';
import { CitedSource } from '../sources/citation.js';
import { type CitedClaim, claimsOf, type Source } from '../sources/claims.js';

interface MemberFactsProps {
  readonly opinion: OpinionView;
  readonly sources: readonly Source[];
}

/**
 * The facts that a member names: those with sources, and apart from them those from its own knowledge. Each text is
 * isolated, because characters that reverse the writing direction would carry the ids after it along.
 */
export function MemberFacts({ opinion, sources }: MemberFactsProps) {
  const claims = claimsOf(opinion);
  if (claims.length === 0) return <p className="muted">No evidence given.</p>;
  return (
    <>
      <Claims title="Cited" claims={claims.filter(claim => claim.sources.length > 0)} sources={sources} />
      <Claims
        title={`${capital(ownKnowledge)}, no source`}
        claims={claims.filter(claim => claim.sources.length === 0)}
        sources={sources}
      />
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface ClaimsProps {
  readonly title: string;
  readonly claims: readonly CitedClaim[];
  readonly sources: readonly Source[];
}

function Claims({ title, claims, sources }: ClaimsProps) {
  if (claims.length === 0) return null;
  return (
    <>
      <h6>{title}</h6>
      <ul className="evidence">
        {claims.map(claim => (
          <li key={claim.anchor} id={claim.anchor}>
            <bdi className="as-written">{claim.fact}</bdi>{' '}
            {claim.sources.map(id => (
              <CitedSource key={id} id={id} source={sources.find(each => each.id === id)} />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

import type { ReactNode } from 'react';

/** A figure in a table; what there is none of is a dash, and read out as what it is. */
export function Figure({ text }: { readonly text: string | null }) {
  if (text !== null) return text;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="unseen">none</span>
    </>
  );
}

/** What the figures above it mean, a line each, for whoever meets them for the first time. */
export function Glossary({
  lines,
}: {
  readonly lines: readonly (readonly [term: string, said: ReactNode])[];
}) {
  return (
    <dl className="glossary">
      {lines.map(([term, said]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from 'react';

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

import type { ReactNode } from 'react';

/** A figure in a table. A missing one is shown as a dash, and read out as "none". */
export function Figure({ text }: { readonly text: string | null }) {
  if (text !== null) return text;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="unseen">none</span>
    </>
  );
}

/** Explains the terms of the table above it. */
export function Glossary({
  terms,
}: {
  readonly terms: readonly (readonly [term: string, meaning: ReactNode])[];
}) {
  return (
    <dl className="glossary">
      {terms.map(([term, meaning]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

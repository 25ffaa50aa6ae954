interface CritiquesProps {
  readonly title: string;
  readonly critiques: readonly {
    readonly by: string;
    readonly strengths: string;
    readonly weaknesses: string;
  }[];
}

/** What was said of one member by another. Folded away: it is long, and of second order. */
export function Critiques({ title, critiques }: CritiquesProps) {
  if (critiques.length === 0) return null;
  return (
    <details className="critiques">
      <summary>{title}</summary>
      <dl>
        {critiques.map(({ by, strengths, weaknesses }) => (
          <div key={by}>
            <dt>{by}</dt>
            <dd className="as-written">
              <strong>For it: </strong>
              {strengths}
            </dd>
            <dd className="as-written">
              <strong>Against it: </strong>
              {weaknesses}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

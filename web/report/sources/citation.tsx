import { type Source, sourceAnchor } from './claims.js';

/** The id of a source, which leads to it. Plain text if the report does not list it. */
export function CitedSource({ id, source }: { readonly id: string; readonly source: Source | undefined }) {
  if (source === undefined) return <span className="citation">{id}</span>;
  return (
    <a className="citation" href={`#${sourceAnchor(id)}`} title={source.title ?? source.domain}>
      {id}
    </a>
  );
}

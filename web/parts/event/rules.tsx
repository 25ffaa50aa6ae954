import type { EventView } from '../../../contract/events.js';

/** The market's own words on what decides the event; the council is told the same. */
export function Rules({ event }: { readonly event: EventView }) {
  if (event.description === '') return null;
  return (
    <details className="rules">
      <summary>Rules: what decides it</summary>
      <p className="as-written">{event.description}</p>
    </details>
  );
}

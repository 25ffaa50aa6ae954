import { binaryEvents } from './binary-events.js';
import { closedEvents } from './closed-events.js';
import { exclusiveEvents } from './exclusive-events.js';
import { independentEvents } from './independent-events.js';
import { largeEvent } from './large-event.js';

/** The bundled sample events, in Gamma's shape: every kind of event that the service has to deal with. */
export const sampleEvents: readonly unknown[] = [
  ...binaryEvents,
  ...exclusiveEvents,
  ...independentEvents,
  largeEvent,
  ...closedEvents,
];

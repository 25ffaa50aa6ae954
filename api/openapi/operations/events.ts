import { z } from 'zod';
import {
  eventIdParameter,
  eventListShape,
  eventSearchParameters,
  eventShape,
} from '../../../contract/events.js';
import { eventExample } from '../examples/purchase.js';
import { conditional, notModified, type Operation, type SuccessResponse } from '../operation.js';

export const eventParameters = {
  in: 'path',
  schema: z.object({ event_id: eventIdParameter }),
  examples: { event_id: eventExample.event_id },
} as const;

const eventNotModified: SuccessResponse = { ...notModified, headers: ['ETag', 'Age'] };

export const eventOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/events',
    operationId: 'searchEvents',
    tag: 'Events',
    summary: 'Search events',
    description:
      'Searches the events of the prediction market, most traded first. `total` is omitted if the market does not provide it. Prices are those of at most 30 seconds ago, while the market can be read; `Age` says how old they are. `page × per_page` is at most 1,000.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [
      {
        in: 'query',
        schema: eventSearchParameters,
        examples: { search: 'federal reserve', status: 'open', page: 1, per_page: 20 },
      },
      conditional,
    ],
    responses: [
      {
        status: 200,
        description: 'One page of events.',
        shape: eventListShape,
        examples: {
          one: {
            summary: 'One matching event',
            value: { events: [eventExample], page: 1, per_page: 20, total: 1 },
          },
        },
        headers: ['ETag', 'Age'],
      },
      eventNotModified,
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/api/events/{event_id}',
    operationId: 'getEvent',
    tag: 'Events',
    summary: 'Read an event',
    description:
      'Returns an event with its markets and their prices of at most 30 seconds ago, while the market can be read; `Age` says how old they are. A report is always made with the prices at its start.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [eventParameters, conditional],
    responses: [
      {
        status: 200,
        description: 'The event.',
        shape: eventShape,
        examples: { yes_or_no: { summary: 'A question with two answers', value: eventExample } },
        headers: ['ETag', 'Age'],
      },
      eventNotModified,
    ],
    problems: ['event_not_found', 'unavailable'],
  },
];

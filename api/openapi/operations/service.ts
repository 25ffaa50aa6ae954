import { documentShape, healthShape, readinessShape } from '../../../contract/service.js';
import { conditional, notModified, type Operation } from '../operation.js';

export const serviceOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Is it alive',
    description: 'The process answers. It says nothing of what the process stands on.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    answers: [
      {
        status: 200,
        description: 'It is alive.',
        shape: healthShape,
        examples: { ok: { summary: 'Alive', value: { status: 'ok' } } },
      },
    ],
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: 'Service',
    summary: 'Can it do its work',
    description:
      'Whether the database and Temporal are there. Where one is not, `checks` says which, and what ails it.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    answers: [
      {
        status: 200,
        description: 'It can.',
        shape: readinessShape,
        examples: {
          ready: {
            summary: 'All is well',
            value: { status: 'ready', checks: { database: null, temporal: null } },
          },
        },
      },
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Service',
    summary: 'Read this description',
    description: 'The whole interface as OpenAPI 3.1. For people it is shown at `/docs`.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    parameters: [conditional],
    answers: [
      {
        status: 200,
        description: 'The description.',
        shape: documentShape,
        examples: {
          beginning: {
            summary: 'How it begins',
            value: { openapi: '3.1.1', info: { title: 'Council Report Service', version: '0.1.0' } },
          },
        },
        headers: ['ETag', 'Cache-Control'],
      },
      notModified,
    ],
  },
];

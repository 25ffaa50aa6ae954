import { documentShape, healthShape, readinessShape } from '../../../contract/service.js';
import { conditional, notModified, type Operation } from '../operation.js';

export const serviceOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Check liveness',
    description: 'Returns 200 while the process runs. Does not check the database or Temporal.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    responses: [
      {
        status: 200,
        description: 'The process runs.',
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
    summary: 'Check readiness',
    description:
      'Returns 200 if the database and Temporal are reachable. Otherwise `checks` in the problem document names the fault of each part.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    responses: [
      {
        status: 200,
        description: 'The service is ready.',
        shape: readinessShape,
        examples: {
          ready: {
            summary: 'Ready',
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
    summary: 'Read the OpenAPI document',
    description: 'Returns the API as an OpenAPI 3.1 document. `/docs` shows it as a reference.',
    costs: 'Nothing.',
    access: 'public',
    throttled: false,
    parameters: [conditional],
    responses: [
      {
        status: 200,
        description: 'The document.',
        shape: documentShape,
        examples: {
          beginning: {
            summary: 'The beginning',
            value: { openapi: '3.1.1', info: { title: 'Council Report Service', version: '0.1.0' } },
          },
        },
        headers: ['ETag'],
      },
      notModified,
    ],
  },
];

import { join } from 'node:path';
import { testTiers } from './test/support/tiers.mjs';

/**
 * Tests run in Node as it is, in a few processes that load each module once. Jest's own runner gives every file a context
 * and modules of its own, which took nearly three times the CPU.
 */
const common = {
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/test/support/runner/set-up.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const tiers = testTiers(import.meta.dirname);

/** What each tier starts is described in `test/support/tiers.mjs`. */
const project = (displayName, more = {}) => ({
  ...common,
  displayName,
  testMatch: tiers[displayName].map(path => join('<rootDir>', path)),
  ...more,
});

const sharedServices = {
  globalSetup: '<rootDir>/test/support/start-services.mjs',
  globalTeardown: '<rootDir>/test/support/stop-services.mjs',
};

export default {
  // One more than the cores of a small machine: tests of whole services mostly wait.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  projects: [project('unit'), project('services', sharedServices), project('processes', sharedServices)],
};

import { join } from 'node:path';
import { testTiers } from './test/support/tiers.mjs';

/** Tests run as ES modules on swc: Temporal workers, better-auth and kysely load as they do in production. */
const common = {
  testEnvironment: '<rootDir>/test/support/quick-globals.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@better-auth/utils/password$': '<rootDir>/test/support/quick-passwords.mjs',
  },
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
  // Jest never releases an ES module: without a limit, each worker grows by some 60 MB a file and spends its time on
  // garbage collection.
  workerIdleMemoryLimit: '700MB',
  // Longer than any wait for a condition (`test/support/until.ts`), which then fails by name.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  // Only with `npm run test:coverage`. The method is the product, so its branches are covered.
  collectCoverageFrom: ['council/**/*.ts'],
  coverageReporters: ['text-summary'],
  coverageThreshold: { './council/': { branches: 95 } },
  projects: [project('unit'), project('services', sharedServices), project('processes', sharedServices)],
};

/** Tests run as ES modules on swc: Temporal workers, better-auth and kysely load as they do in production. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

const serviceFolders = ['api', 'cli', 'db', 'mcp', 'skill', 'web', 'workflows'];

export default {
  maxWorkers: 2,
  // Jest lets go of no ES module: unbounded, each process grows by some 60 MB a file, and soon does little but collect garbage.
  workerIdleMemoryLimit: '700MB',
  testTimeout: 60_000,
  // With `--coverage`, as `npm test` runs it: the method is what is sold, and no branch of it goes untried.
  collectCoverageFrom: ['council/**/*.ts'],
  coverageReporters: ['text-summary'],
  coverageThreshold: { './council/': { branches: 95 } },
  projects: [
    {
      ...common,
      displayName: 'pure',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: serviceFolders.map(folder => `<rootDir>/test/${folder}/`),
    },
    {
      ...common,
      displayName: 'services',
      testMatch: serviceFolders.map(folder => `<rootDir>/test/${folder}/**/*.test.ts`),
      globalSetup: '<rootDir>/test/support/start-services.mjs',
      globalTeardown: '<rootDir>/test/support/stop-services.mjs',
    },
  ],
};

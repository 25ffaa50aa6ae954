import type { Settings } from '../config/settings.js';
import type { Demo } from './first-start.js';

/** What `npm start` says once everything is up: where things are, and what to do next. */
export function describeService(service: {
  settings: Settings;
  url: string;
  uiUrl: string | undefined;
  simulator: string;
  demo: Demo | null;
}): string {
  const { settings, url, uiUrl, simulator, demo } = service;
  const simulated = settings.COUNCIL_PROVIDERS === 'simulated';
  return [
    '',
    ...(demo === null ? [] : describeDemo(demo, url)),
    ...(simulated
      ? [`Models are SIMULATED: every report says so. Faults can be set at ${simulator}/simulator/faults`]
      : [
          `Models are live. Open an account at ${url}/sign-in, then give it credits:`,
          '  npm run council -- credits grant --email YOU --credits 1000 --reason "first credits"',
        ]),
    `Ready: API ${url}${uiUrl === undefined ? '' : ` · Temporal Web UI ${uiUrl}`}`,
  ].join('\n');
}

function describeDemo(demo: Demo, url: string): string[] {
  return [
    'A demo account was made. Its secrets are shown this once:',
    `  e-mail    ${demo.email}`,
    `  password  ${demo.password}`,
    `  API key   ${demo.key}`,
    `  credits   ${demo.credits}; a sample report, number ${demo.reportId}, was paid with the weekly grant`,
    `Try: open ${url} in a browser, or`,
    `  export COUNCIL_API_KEY=${demo.key}`,
    `  npm run council -- report show ${demo.reportId}`,
    '  npm run council -- report run "fed cut"',
    '',
  ];
}

import { afterAll, beforeAll, describe } from '@jest/globals';
import { withoutTool } from '../without-tool.js';
import { nginxPath } from './nginx.js';
import { type PublicService, type PublicServiceOptions, startPublicService } from './public-service.js';

const isRequired = process.env['CI_PROXY'] === 'required';
const noProxy = 'nginx not found: set NGINX_PATH or install the package nginx-light';

/**
 * Tests of the service at a public address. Without nginx they are skipped with a message; with `CI_PROXY=required` they
 * fail instead, so that CI cannot skip them unnoticed.
 * @param body gets the service, which runs once the tests do
 */
export function describeBehindProxy(
  name: string,
  body: (service: () => PublicService) => void,
  options: PublicServiceOptions = {},
): void {
  describe(name, () => {
    if (nginxPath === null) {
      withoutTool(name, { tool: 'a proxy', reason: noProxy, isRequired });
      return;
    }
    let service: PublicService | undefined;
    beforeAll(async () => {
      service = await startPublicService(options);
    });
    afterAll(() => service?.stop());
    body(() => {
      if (service === undefined) throw new Error('the service does not run yet');
      return service;
    });
  });
}

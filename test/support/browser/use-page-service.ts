import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { TestService, TestServiceOptions } from '../service/test-service.js';
import { useTestService } from '../use-service.js';

/** One service with its page for all tests of a file, stopped after them. */
export async function usePageService(options: TestServiceOptions = {}): Promise<TestService> {
  return useTestService({ pages: await loadPageRenderer(), ...options });
}

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/**
 * Path of Chromium: `CHROMIUM_PATH`, or where Debian installs it. Null if there is none. The headless shell is the same
 * engine without the browser around it: the tests of a page take three quarters of the CPU time with it.
 */
export const chromiumPath: string | null =
  [process.env['CHROMIUM_PATH'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
    path => path !== undefined && existsSync(path),
  ) ?? null;

export interface TestBrowser {
  /** Opens a page as a new visitor, without cookies and cache. */
  visit(url: string, visitor?: Visitor): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly javaScriptEnabled?: boolean;
  /** Cookies of an earlier visit, as a `Cookie` header. */
  readonly cookie?: string;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Script errors and violations of the Content-Security-Policy, but no failed requests. */
  readonly troubles: string[];
  /** Everything that the browser's console shows: with failed requests, warnings and what scripts write. */
  readonly console: string[];
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

const timeoutMs = 15_000;

export async function openBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    visit: async (url, { cookie, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: desktop,
        reducedMotion: 'reduce',
        // Of a proxy that a test has started, whose certificate signs itself.
        ignoreHTTPSErrors: url.startsWith('https://localhost:'),
        ...options,
      });
      context.setDefaultTimeout(timeoutMs);
      if (cookie !== undefined) await context.addCookies(cookiesOf(cookie, url));
      const page = await context.newPage();
      const troubles: string[] = [];
      const console: string[] = [];
      page.on('pageerror', error => {
        troubles.push(String(error));
        console.push(String(error));
      });
      page.on('console', message => {
        const isResponse = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isResponse) troubles.push(message.text());
        console.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      });
      await page.goto(url);
      return { page, context, troubles, console };
    },
    close: () => browser.close(),
  };
}

function cookiesOf(header: string, url: string) {
  return header.split('; ').map(pair => {
    const [name = '', ...value] = pair.split('=');
    return {
      name,
      value: value.join('='),
      domain: new URL(url).hostname,
      path: '/',
      httpOnly: true,
      secure: name.startsWith('__Secure-'),
      sameSite: 'Lax' as const,
    };
  });
}

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where the tests find a Chromium: what `CHROMIUM_PATH` says, or where Debian puts it. Null where there is none. */
export const chromiumPath: string | null =
  [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find(path => path !== undefined && existsSync(path)) ??
  null;

export interface TestBrowser {
  /** A new visitor: no cookie, no cache. What goes wrong in its console, or is refused by the page's own policy, is gathered. */
  visit(url: string, like?: Visitor): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** Cookies from an earlier visit, as a browser would send them. */
  readonly cookie?: string;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and what the Content-Security-Policy refused. Answers of 4xx that a test provokes are not in it. */
  readonly troubles: string[];
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

const patienceMs = 15_000;

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
    visit: async (url, { cookie, ...like } = {}) => {
      const context = await browser.newContext({ viewport: desktop, reducedMotion: 'reduce', ...like });
      context.setDefaultTimeout(patienceMs);
      if (cookie !== undefined) await context.addCookies(cookiesOf(cookie, url));
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('pageerror', error => troubles.push(String(error)));
      page.on('console', message => {
        const isAnswer = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isAnswer) troubles.push(message.text());
      });
      await page.goto(url);
      return { page, context, troubles };
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
      sameSite: 'Lax' as const,
    };
  });
}

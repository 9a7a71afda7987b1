import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { Codec } from './pictures';
import { startService, startedAt } from './service';
import type { Service } from './service';

export type Theme = 'light' | 'dark';

/** Height of the window by its width, in pixels. */
export const heights = { 1440: 900, 1280: 900, 1100: 800, 390: 844, 320: 640 } as const;
export type Width = keyof typeof heights;

/** Half a minute after the service started. */
const now = Date.parse(`${startedAt.replace(' ', 'T')}.300Z`) + 30_000;

/** Switches by which the same page gives the same pixels. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

/** A service, and a browser that shows its pages. */
export class Stage {
  private isSignedIn = false;

  private constructor(
    readonly service: Service,
    private readonly browser: Browser,
    readonly page: Page,
    readonly codec: Codec,
  ) {}

  static async start(): Promise<Stage> {
    const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
      .map((name) => `/usr/bin/${name}`)
      .find(existsSync);
    const service = await startService();
    try {
      const browser = await chromium.launch({ executablePath, args: switches });
      const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' });
      await context.addInitScript(stillClock, now);
      await context.addInitScript(countRequests);
      await context.addInitScript(forgetScrolling);
      const codec = new Codec(await browser.newPage());
      return new Stage(service, browser, await context.newPage(), codec);
    } catch (error) {
      service.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.service.stop();
  }

  /** Signs in, for good, with the link that the service printed, which works once. */
  async signIn(): Promise<void> {
    if (this.isSignedIn) return;
    // The page of the link may be in front already: an address that differs after its # loads nothing.
    await this.page.goto('about:blank');
    await this.page.goto(this.service.signInLink);
    await this.page.getByText('Load sample data').waitFor();
    this.isSignedIn = true;
  }

  /** Loads the sample data and waits for all that follows from it. */
  async loadSample(): Promise<void> {
    await this.signIn();
    await this.page.goto(`${this.service.address}/overview`);
    await this.page.getByText('Load sample data').click();
    await this.page.getByText('You’re viewing sample data').waitFor({ timeout: 120_000 });
    await this.page.goto(`${this.service.address}/settings/notifications`);
    // Notices are the last that follows from an import.
    await this.page.getByText('50% of the budget').first().waitFor({ timeout: 60_000 });
  }

  /** Opens a page in a window of that width. */
  async open(address: string, width: Width): Promise<void> {
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.page.setViewportSize({ width, height: heights[width] });
    await this.page.goto(this.service.address + address);
    await this.settled();
  }

  /** Gives the window of the page that is open another width. */
  async resize(width: Width): Promise<void> {
    await this.page.setViewportSize({ width, height: heights[width] });
    await this.settled();
  }

  /** Gives it the window that is left of 1280 by 800 px at 200% zoom, or one that is as low beside its rail. */
  async lower(width: 640 | 1000): Promise<void> {
    await this.page.setViewportSize({ width, height: 400 });
    await this.settled();
  }

  /** Presses what begins with `text`: the innermost such element of the page. */
  async press(text: string): Promise<void> {
    await this.page.waitForFunction((text) => {
      const begins = (element: Element) => (element as HTMLElement).innerText?.trim().startsWith(text);
      const isInnermost = (element: Element) => begins(element) && ![...element.children].some(begins);
      // What is open beside a list, and what stands above it, is not inside the part that a page calls its own.
      const found = ['#main *', 'body *'].flatMap((where) => [...document.querySelectorAll(where)]).find(isInnermost);
      if (found instanceof HTMLElement) found.click();
      return found !== undefined;
    }, text);
    await this.settled();
  }

  async show(theme: Theme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.settled();
  }

  /** Adds a rule to the styles of the page that is open. */
  async style(rule: string): Promise<void> {
    await this.page.evaluate((rule) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rule);
      document.adoptedStyleSheets.push(sheet);
    }, rule);
  }

  /** Until the page waits for nothing: no answer, no letters, no grey lines in place of text. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() => {
      const waits = document.querySelector('.skel, [aria-busy=true]');
      const shown = document.querySelector('#main') ?? document.querySelector('form, main');
      return shown !== null && waits === null && pendingRequests() === 0 && document.fonts.status === 'loaded';
      function pendingRequests() {
        return (globalThis as unknown as { pendingRequests: number }).pendingRequests;
      }
    });
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }

  /** A picture of what is shown, without what differs from run to run: ports, folders, milliseconds. */
  async screenshot(): Promise<Buffer> {
    await this.page.evaluate(sameWords, this.service.dataDir);
    return this.page.screenshot({ animations: 'disabled', caret: 'hide' });
  }
}

/** Runs in the page: its clock stands still. */
function stillClock(now: number) {
  const RealDate = Date;
  class StillDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(now);
      else super(...(given as [number]));
    }
    static override now() {
      return now;
    }
  }
  globalThis.Date = StillDate as DateConstructor;
}

/** Runs in the page: a page that was scrolled before begins at its top again. */
function forgetScrolling() {
  // Pages without an address have no storage.
  if (location.protocol !== 'http:') return;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('tsr-scroll')) sessionStorage.removeItem(key);
}

/** Runs in the page: counts the requests that were not answered yet. */
function countRequests() {
  const counted = globalThis as unknown as { pendingRequests: number };
  counted.pendingRequests = 0;
  const real = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    counted.pendingRequests++;
    try {
      return await real(...given);
    } finally {
      // What is made of the answer is drawn a moment later.
      setTimeout(() => counted.pendingRequests--, 30);
    }
  };
}

/** Runs in the page: gives words that differ from run to run the same text and length. */
function sameWords(dataDir: string) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.nodeValue ?? '';
    const same = text
      .replaceAll(dataDir, '/var/lib/quarterdeck')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8790')
      .replace(/^\d+(\.\d+)? ms$/, '10 ms')
      .replace(/^\d+(\.\d+)? GB free$/, '100 GB free')
      .replace(/Chrome\/[\d.]+/, 'Chrome/100');
    if (same !== text) texts.currentNode.nodeValue = same;
  }
}

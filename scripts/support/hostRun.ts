import { chromium } from 'playwright-core';
import { chromiumFlags, ensureChromium } from './chromium';
import type { CodeServer } from './codeServer';

/** Only guards against hanging. */
const runLimitMs = 900_000;

interface HostRun {
  /** Started with `smokeTestDriver`. */
  server: CodeServer;
  /** Folder of the extension that is loaded from its sources. Absolute. */
  developmentPath: string;
  /** Module whose `run()` the extension host calls. Absolute. */
  testsPath: string;
  /** Folder to open. Absolute. */
  workspace: string;
}

function address({ server, developmentPath, testsPath, workspace }: HostRun): string {
  const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
  const page = new URL(server.url);
  page.searchParams.set('folder', workspace);
  page.searchParams.set(
    'payload',
    JSON.stringify([
      ['extensionDevelopmentPath', remote(developmentPath)],
      ['extensionTestsPath', remote(testsPath)],
      ['skipWelcome', 'true'],
    ]),
  );
  return page.href;
}

/**
 * Runs a module inside a real extension host: opens the page that starts it and waits until the
 * workbench says that it ended. What it did shows in the files it wrote.
 *
 * @throws Error when it does not end within the limit
 */
export async function runInExtensionHost(run: HostRun): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags],
  });
  let limit: NodeJS.Timeout | undefined;
  try {
    const page = await browser.newPage();
    const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>();
    limit = setTimeout(() => {
      reject(new Error(`The extension host's run did not end within ${runLimitMs / 1000} s.`));
    }, runLimitMs);
    await page.exposeFunction('codeAutomationExit', () => {
      resolve(undefined);
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(address(run));
    await ended;
  } finally {
    clearTimeout(limit);
    await browser.close();
  }
}

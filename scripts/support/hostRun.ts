import { chromium } from 'playwright-core';
import { chromiumFlags, ensureChromium } from './chromium';
import type { CodeServer } from './codeServer';

/** Default time limit in milliseconds. */
const runLimitMs = 900_000;

interface HostRun {
  /** A server that was started with `smokeTestDriver`. */
  server: CodeServer;
  /** Absolute path of the folder from which the extension is loaded. */
  developmentPath: string;
  /** Absolute path of the module whose `run()` function the extension host calls. */
  testsPath: string;
  /** Absolute path of the folder to open. */
  workspace: string;
  /** Time limit in milliseconds. Its only purpose is to stop a run that hangs. */
  limitMs?: number;
}

function address({
  server,
  developmentPath,
  testsPath,
  workspace,
}: Omit<HostRun, 'limitMs'>): string {
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
 * Runs a module inside a real extension host: opens the page that starts the module, and waits
 * until the workbench reports that the module has finished. The module must write its results to
 * files.
 *
 * @throws Error if the module fails, it doesn't finish within the time limit, or the browser exits
 */
export async function runInExtensionHost({ limitMs = runLimitMs, ...run }: HostRun): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags],
  });
  let limit: NodeJS.Timeout | undefined;
  try {
    const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>();
    browser.on('disconnected', () => {
      reject(new Error('The browser exited before the end of the run.'));
    });
    // A failure before the await below must not become an unhandled rejection.
    ended.catch(() => undefined);
    const page = await browser.newPage();
    limit = setTimeout(() => {
      reject(new Error(`The extension host's run did not end within ${limitMs / 1000} s.`));
    }, limitMs);
    // Of a failed run, the workbench passes on only the exit code. It prints the error last.
    let lastError = 'the workbench printed no error';
    page.on('console', (message) => {
      if (message.type() === 'error') lastError = message.text();
    });
    await page.exposeFunction('codeAutomationExit', (exitCode: number) => {
      if (exitCode === 0) resolve(undefined);
      else reject(new Error(`The extension host's run failed: ${lastError}`));
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(address(run));
    await ended;
  } finally {
    clearTimeout(limit);
    await browser.close();
  }
}

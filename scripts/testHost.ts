import { chromium } from 'playwright-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostResultVariable } from '../test/host/hostResult';
import { chromiumFlags, ensureChromium } from './support/chromium';
import { startCodeServer, type CodeServer } from './support/codeServer';
import { buildHostSuite, reportHostSuite } from './support/hostSuite';
import { root } from './support/paths';

const suiteLimitMs = 300_000;

function suiteAddress({ url, authority }: CodeServer, suite: string, workspace: string): string {
  const remote = (path: string): string => `vscode-remote://${authority}${path}`;
  const address = new URL(url);
  address.searchParams.set('folder', workspace);
  address.searchParams.set(
    'payload',
    JSON.stringify([
      ['extensionDevelopmentPath', remote(root)],
      ['extensionTestsPath', remote(suite)],
      ['skipWelcome', 'true'],
    ]),
  );
  return address.href;
}

/** Opens the page that starts the suite and waits until the workbench says that it ended. */
async function runInBrowser(address: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags],
  });
  try {
    const page = await browser.newPage();
    const ended = new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => {
        reject(new Error(`The suite did not end within ${suiteLimitMs / 1000} s.`));
      }, suiteLimitMs);
      const finish = (): void => {
        clearTimeout(limit);
        resolve();
      };
      page.exposeFunction('codeAutomationExit', finish).catch(reject);
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(address);
    await ended;
  } finally {
    await browser.close();
  }
}

/** Runs `test/host` inside the extension host of a real VS Code served to a browser. */
async function main(): Promise<void> {
  const suite = await buildHostSuite();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-host-'));
  const resultFile = join(folder, 'result.json');
  let server: CodeServer | undefined;
  try {
    server = await startCodeServer({
      dataFolder: folder,
      smokeTestDriver: true,
      env: { [hostResultVariable]: resultFile },
    });
    await runInBrowser(suiteAddress(server, suite, folder));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    await server?.stop();
    process.exitCode = reportHostSuite(resultFile) ? 0 : 1;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

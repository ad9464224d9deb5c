import { runTests } from '@vscode/test-electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostResultVariable } from '../test/host/hostResult';
import { startDemoService } from './support/demoFleet';
import { buildHostSuite, reportHostSuite } from './support/hostSuite';
import { root } from './support/paths';

/**
 * Runs `test/host` in a desktop VS Code, which this script downloads. Requires network access and a
 * display. `npm test` runs the same suite in the VS Code that is installed from npm.
 */
async function main(): Promise<void> {
  const suite = await buildHostSuite();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-desktop-'));
  const resultFile = join(folder, 'result.json');
  try {
    await using resources = new AsyncDisposableStack();
    const service = await startDemoService();
    resources.defer(() => service.stop());
    await runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: suite,
      extensionTestsEnv: {
        [hostResultVariable]: resultFile,
        FLEETWRIGHT_CREDENTIALS_FILE: service.credentialsFile,
      },
      launchArgs: ['--user-data-dir', join(folder, 'user'), '--disable-extensions', folder],
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    process.exitCode = reportHostSuite(resultFile) ? 0 : 1;
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hostGrepVariable, hostResultVariable } from '../test/host/hostResult';
import { getExtensionsFolder, startCodeServer } from './support/codeServer';
import { startDemoService } from './support/demoFleet';
import { runInExtensionHost } from './support/hostRun';
import { writeModelExtension } from './support/modelExtension';
import { buildHostSuite, reportHostSuite } from './support/hostSuite';
import { root } from './support/paths';

/**
 * Runs `test/host` inside the extension host of a real VS Code that is served to a browser; `--grep
 * PATTERN` selects the tests with matching titles.
 */
async function main(args: string[]): Promise<void> {
  const { grep = '' } = parseArgs({ args, options: { grep: { type: 'string' } } }).values;
  const suite = await buildHostSuite();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-host-'));
  const resultFile = join(folder, 'result.json');
  try {
    await using resources = new AsyncDisposableStack();
    const service = await startDemoService();
    resources.defer(() => service.stop());
    writeModelExtension(getExtensionsFolder(folder));
    const server = await startCodeServer({
      dataFolder: folder,
      smokeTestDriver: true,
      env: {
        [hostResultVariable]: resultFile,
        [hostGrepVariable]: grep,
        FLEETWRIGHT_CREDENTIALS_FILE: service.credentialsFile,
      },
    });
    resources.defer(() => server.stop());
    await runInExtensionHost({
      server,
      developmentPath: root,
      testsPath: suite,
      workspace: folder,
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    process.exitCode = reportHostSuite(resultFile) ? 0 : 1;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

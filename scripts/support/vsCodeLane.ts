import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChromium } from './chromiumProcess';
import { type CodeServer, startCodeServer } from './codeServer';
import { fromRoot } from './paths';

/**
 * Environment variable that contains, as JSON, the lanes that the processes of a test run share.
 */
export const lanesVariable = 'FLEETWRIGHT_TEST_LANES';

/**
 * A VS Code server with the packaged extension, and a browser. Only one window at a time uses a
 * lane.
 */
export interface VsCodeLane {
  server: Pick<CodeServer, 'url' | 'authority' | 'pid'>;
  /** Folder for all files that VS Code and its extensions write. */
  dataFolder: string;
  /**
   * Credentials file that the extension reads when a window opens. Each journey test overwrites the
   * file.
   */
  credentialsFile: string;
  /** URL of the browser's debugging endpoint. */
  browserUrl: string;
}

export interface StartedLane extends VsCodeLane {
  /** Stops the browser, the server, and its extension hosts, and deletes their files. */
  stop(): Promise<void>;
}

/** @param signsIn true if the extension reads `credentialsFile` */
export async function startLane({ signsIn = true } = {}): Promise<StartedLane> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-lane-'));
  const dataFolder = join(folder, 'vsCode');
  const credentialsFile = join(folder, 'credentials.json');
  await using started = new AsyncDisposableStack();
  started.defer(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const server = await startCodeServer({
    dataFolder,
    extensions: [fromRoot('.cache', 'fleetwright.vsix')],
    env: signsIn ? { FLEETWRIGHT_CREDENTIALS_FILE: credentialsFile } : {},
  });
  started.defer(() => server.stop());
  const browser = await startChromium(join(folder, 'browser'));
  started.defer(() => browser.stop());
  const running = started.move();
  const { url, authority, pid } = server;
  return {
    server: { url, authority, pid },
    dataFolder,
    credentialsFile,
    browserUrl: browser.url,
    stop: () => running.disposeAsync(),
  };
}

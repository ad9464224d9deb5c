import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { startCodeServer } from './support/codeServer';
import { findDesktopCode, startDesktopCode } from './support/desktopCode';
import { fromRoot, root } from './support/paths';
import { startService, type ServiceProcess } from './support/serviceProcess';

const usage = 'npm start -- [--no-open]';

/** Tells the extension where the key of the service's first owner is. */
const credentialsVariable = 'FLEETWRIGHT_CREDENTIALS_FILE';

/** What runs, and what ends it. */
interface Running {
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

function runScript(name: string): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', fromRoot('scripts', name)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`scripts/${name} failed.`);
}

function openInBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  };
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  // The address is printed as well: a machine without a browser is no error.
  opener.on('error', () => undefined);
  opener.unref();
}

function openDesktop(command: string, service: ServiceProcess): Running {
  console.log('Opening VS Code. Close its window or press Ctrl+C to stop everything.');
  return startDesktopCode({
    command,
    dataFolder: fromRoot('.cache', 'desktop'),
    developmentPath: root,
    env: { [credentialsVariable]: service.credentialsFile },
  });
}

async function openServed(service: ServiceProcess, show: boolean): Promise<Running> {
  const server = await startCodeServer({
    dataFolder: fromRoot('.cache', 'browser'),
    extensions: [fromRoot('.cache', 'fleetwright.vsix')],
    env: { [credentialsVariable]: service.credentialsFile },
  });
  const url = `${server.url}/?ew=true`;
  console.log(`VS Code: ${url}`);
  console.log('Press Ctrl+C to stop everything.');
  if (show) openInBrowser(url);
  return { ended: new Promise(() => undefined), stop: () => server.stop() };
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Not once: the terminal and npm may both pass the same signal on.
      process.on(signal, () => resolve());
    }
  });
}

/**
 * Builds, starts the service with the demo fleet, and opens VS Code with the extension signed in to
 * it. Ends all of it on Ctrl+C, or when the desktop window is closed.
 */
async function main(flags: readonly string[]): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--no-open');
  if (unknown !== undefined) throw new Error(`Unknown flag ${unknown}. Usage: ${usage}`);
  const desktop = flags.includes('--no-open') ? undefined : findDesktopCode();
  const interrupt = interrupted();
  runScript(desktop === undefined ? 'package.ts' : 'build.ts');

  const data = fromRoot('.cache', 'demo');
  mkdirSync(data, { recursive: true });
  await using running = new AsyncDisposableStack();
  const service = await startService(['--demo', '--data', data]);
  running.defer(() => service.stop());
  console.log(`Fleet service: ${service.url} (credentials in ${service.credentialsFile})`);
  const editor =
    desktop === undefined
      ? await openServed(service, !flags.includes('--no-open'))
      : openDesktop(desktop, service);
  running.defer(() => editor.stop());
  await Promise.race([interrupt, editor.ended, service.ended]);
  console.log('Stopping.');
}

main(process.argv.slice(2)).then(
  // What a library left open must not keep the terminal: everything of ours is stopped.
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

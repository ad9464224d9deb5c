import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCodeServer } from './support/codeServer';
import { findDesktopCode, startDesktopCode } from './support/desktopCode';
import { fromRoot, root } from './support/paths';
import { type RestartingService, startRestartingService } from './support/restartingService';

const usage = 'npm start -- [--no-open] [--folder DIR] [--allow-custom-training]';

/**
 * Environment variable with the path of the credentials file of the service's first owner, which
 * the extension reads.
 */
const credentialsVariable = 'FLEETWRIGHT_CREDENTIALS_FILE';

interface StartOptions {
  /** True to print only the address, without opening a window or a browser. */
  noOpen: boolean;
  /** Absolute path of the folder that stores the demo fleet and VS Code's state between starts. */
  folder: string;
  /** True if the service can run training scripts, such as the one in the demo fleet. */
  allowScripts: boolean;
}

/** The running programs, with a function that stops them. */
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
  // Ignore errors, because the address is also printed and a browser isn't required.
  opener.on('error', () => undefined);
  opener.unref();
}

function openDesktop(command: string, service: RestartingService, folder: string): Running {
  console.log('Opening VS Code. Close its window or press Ctrl+C to stop everything.');
  return startDesktopCode({
    command,
    dataFolder: join(folder, 'desktop'),
    developmentPath: root,
    env: { [credentialsVariable]: service.credentialsFile },
  });
}

async function openServed(
  service: RestartingService,
  { folder, noOpen }: StartOptions,
): Promise<Running> {
  const server = await startCodeServer({
    dataFolder: join(folder, 'browser'),
    extensions: [fromRoot('.cache', 'fleetwright.vsix')],
    settings: { 'workbench.welcomePage.walkthroughs.openOnInstall': true },
    env: { [credentialsVariable]: service.credentialsFile },
  });
  const url = `${server.url}/?ew=true`;
  console.log(`VS Code: ${url}`);
  console.log('Press Ctrl+C to stop everything.');
  if (!noOpen) openInBrowser(url);
  return { ended: new Promise(() => undefined), stop: () => server.stop() };
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Don't use `once`, because the terminal and npm can both send the same signal.
      process.on(signal, () => resolve());
    }
  });
}

function readOptions(args: string[]): StartOptions {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'no-open': { type: 'boolean' },
        folder: { type: 'string' },
        'allow-custom-training': { type: 'boolean' },
      },
    });
    const folder = resolve(values.folder ?? fromRoot('.cache', 'start'));
    const allowScripts = values['allow-custom-training'] ?? false;
    return { noOpen: values['no-open'] ?? false, folder, allowScripts };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\nUsage: ${usage}`, { cause: error });
  }
}

/**
 * Builds the product, starts the service with the demo fleet, and opens VS Code with the extension
 * signed in to the service. Restarts the service if it exits unexpectedly. Stops everything on
 * Ctrl+C or when the desktop window is closed.
 */
async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  const { noOpen, folder, allowScripts } = options;
  const desktop = noOpen ? undefined : findDesktopCode();
  const interrupt = interrupted();
  runScript(desktop === undefined ? 'package.ts' : 'build.ts');

  await using running = new AsyncDisposableStack();
  const data = join(folder, 'service');
  mkdirSync(data, { recursive: true });
  const scripts = allowScripts ? ['--allow-custom-training'] : [];
  const service = await startRestartingService(['--demo', '--data', data, ...scripts], {
    logFile: join(folder, 'service.log'),
    report: (line) => console.log(line),
  });
  running.defer(() => service.stop());
  console.log(`Fleet service: ${service.url} (credentials in ${service.credentialsFile})`);
  if (!allowScripts) {
    console.log(
      'Training scripts are off. To run that of the demo fleet on this computer, with your rights: npm start -- --allow-custom-training',
    );
  }
  const editor =
    desktop === undefined
      ? await openServed(service, options)
      : openDesktop(desktop, service, folder);
  running.defer(() => editor.stop());
  await Promise.race([interrupt, editor.ended]);
  console.log('Stopping.');
}

main(process.argv.slice(2)).then(
  // Exit explicitly, because resources that a library leaves open must not block the terminal. Our
  // own resources are already closed.
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

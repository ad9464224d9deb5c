import { spawnSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureInstalled, npm } from '../bootstrap/install.mjs';
import { pinnedNode } from '../bootstrap/pinnedNode.mjs';
import { freePort } from './freePort';
import { installKeptExtensions } from './keptExtensions';
import { fromRoot, root } from './paths';
import { startGroup } from './processGroup';

const hostFolder = fromRoot('test', 'e2e', 'host');
const serverFolder = join(hostFolder, 'node_modules', 'code-server');
const workbenchFolder = join(serverFolder, 'lib', 'vscode');
const readyMarker = join(workbenchFolder, 'node_modules', '.fleetwright-complete');

const startLimitMs = 60_000;
const pollMs = 100;

/** Quiet, local, and saving only when told to: the web's default saves by itself. */
const baseSettings: Readonly<Record<string, unknown>> = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'extensions.autoCheckUpdates': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
};

/** What VS Code reads from the settings of the remote computer, not from those of the user. */
const baseMachineSettings: Readonly<Record<string, unknown>> = {
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

export interface CodeServerOptions {
  /** Holds the server's settings, extensions and logs; made when missing. Absolute. */
  dataFolder: string;
  /** Packaged extensions to install first. Absolute paths of `.vsix` files. */
  extensions?: readonly string[];
  /** User settings on top of the quiet ones. */
  settings?: Readonly<Record<string, unknown>>;
  /** Added to the server's environment, and so to the extension host's. */
  env?: Readonly<Record<string, string>>;
  /** Honour `extensionDevelopmentPath` in a page's address. Suppresses toasts and test-mode dialogs. */
  smokeTestDriver?: boolean;
  /** TCP port on 127.0.0.1; a free one when left out. */
  port?: number;
}

/** VS Code's workbench and extension host, served to a browser. */
export interface CodeServer {
  /** Where to point a browser, without a trailing slash. */
  url: string;
  /** `host:port`, the authority of this server's `vscode-remote:` URIs. */
  authority: string;
  /** The server's process; the leader of its group. */
  pid: number;
  /** Ends the server and every extension host it started. */
  stop(): Promise<void>;
}

/**
 * Installs the browser form of VS Code into its own folder unless it is there. The workbench's own
 * packages come in a second step because the server's install script would compile natives that
 * nothing here needs.
 */
export function ensureCodeServer(): void {
  ensureInstalled(hostFolder);
  const { version } = JSON.parse(readFileSync(join(serverFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (existsSync(readyMarker) && readFileSync(readyMarker, 'utf8') === version) return;
  console.log(`Installing VS Code's server packages (code-server ${version})`);
  npm(workbenchFolder, ['install', '--omit=dev', '--ignore-scripts', '--no-save', '--no-audit']);
  writeFileSync(readyMarker, version);
}

function environment(dataFolder: string, extra: CodeServerOptions['env']): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    // Set inside another VS Code's terminal, these would lead this server to that VS Code.
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_)/.test(name)),
  );
  return {
    ...inherited,
    HOME: dataFolder,
    XDG_CONFIG_HOME: join(dataFolder, 'config'),
    XDG_DATA_HOME: join(dataFolder, 'data'),
    ...extra,
  };
}

function extensionsFolderOf(dataFolder: string): string {
  return join(dataFolder, 'extensions');
}

function serverArguments(
  dataFolder: string,
  extensionsFolder = extensionsFolderOf(dataFolder),
): string[] {
  return [
    join(serverFolder, 'out', 'node', 'entry.js'),
    ...['--config', join(dataFolder, 'config.yaml')],
    ...['--user-data-dir', join(dataFolder, 'user')],
    ...['--extensions-dir', extensionsFolder],
  ];
}

/** Deletes what VS Code has saved for its user while no window is open: states, backups, histories, settings. */
export function resetProfile(dataFolder: string, settings: CodeServerOptions['settings']): void {
  rmSync(join(dataFolder, 'user', 'User'), { recursive: true, force: true, maxRetries: 10 });
  writeSettings(dataFolder, settings);
}

function writeSettings(dataFolder: string, settings: CodeServerOptions['settings']): void {
  const all = Object.entries({ ...baseSettings, ...baseMachineSettings, ...settings });
  const isOfMachine = ([key]: [string, unknown]): boolean => key in baseMachineSettings;
  const write = (name: string, entries: readonly [string, unknown][]): void => {
    const folder = join(dataFolder, 'user', name);
    mkdirSync(folder, { recursive: true });
    const text = JSON.stringify(Object.fromEntries(entries), undefined, 2);
    writeFileSync(join(folder, 'settings.json'), text);
  };
  write(
    'User',
    all.filter((entry) => !isOfMachine(entry)),
  );
  write('Machine', all.filter(isOfMachine));
  writeFileSync(join(dataFolder, 'config.yaml'), '');
}

function installExtensions(
  dataFolder: string,
  vsixFiles: readonly string[],
  env: NodeJS.ProcessEnv,
): void {
  const install = (vsix: string, folder: string): void => {
    const { status, stdout, stderr } = spawnSync(
      pinnedNode(root),
      [...serverArguments(dataFolder, folder), '--install-extension', vsix, '--force'],
      { env, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`VS Code did not install ${vsix}:\n${stdout}${stderr}`);
  };
  const folder = extensionsFolderOf(dataFolder);
  // What a person has installed in a folder that is kept stays.
  if (existsSync(folder)) for (const vsix of vsixFiles) install(vsix, folder);
  else if (vsixFiles.length > 0) installKeptExtensions(vsixFiles, folder, install);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Starts VS Code for browsers and resolves once it answers.
 *
 * @throws Error when the extension does not install, the server ends, or it does not answer within
 *   a minute; the server's log is in `dataFolder/server.log`
 */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  ensureCodeServer();
  const { dataFolder, extensions = [], settings, smokeTestDriver = false } = options;
  const env = environment(dataFolder, options.env);
  writeSettings(dataFolder, settings);
  installExtensions(dataFolder, extensions, env);
  const authority = `127.0.0.1:${options.port ?? (await freePort())}`;
  const url = `http://${authority}`;
  const logFile = join(dataFolder, 'server.log');
  rmSync(logFile, { force: true });
  const group = startGroup(
    pinnedNode(root),
    [
      ...serverArguments(dataFolder),
      ...['--auth', 'none', '--bind-addr', authority],
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      ...(smokeTestDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(logFile);
  group.child.stdout?.pipe(log, { end: false });
  group.child.stderr?.pipe(log, { end: false });
  const deadline = performance.now() + startLimitMs;
  while (!(await answers(url))) {
    if (group.child.exitCode !== null || performance.now() > deadline) {
      await group.stop();
      throw new Error(`VS Code's server did not start; its log is ${logFile}.`);
    }
    await sleep(pollMs);
  }
  return { url, authority, pid: group.child.pid ?? -1, stop: () => group.stop() };
}

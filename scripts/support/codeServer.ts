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
import { installCachedExtensions } from './cachedExtensions';
import { fromRoot, root } from './paths';
import { startGroup } from './processGroup';

const hostFolder = fromRoot('test', 'e2e', 'host');
const serverFolder = join(hostFolder, 'node_modules', 'code-server');
const workbenchFolder = join(serverFolder, 'lib', 'vscode');
const readyMarker = join(workbenchFolder, 'node_modules', '.fleetwright-complete');

const startLimitMs = 60_000;
const pollMs = 100;

/**
 * Settings that keep VS Code quiet and offline and turn off Auto Save, which the web version
 * enables by default.
 */
const baseSettings: Readonly<Record<string, unknown>> = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'extensions.autoCheckUpdates': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
};

/** Settings that VS Code reads from the remote computer instead of the user's settings. */
const baseMachineSettings: Readonly<Record<string, unknown>> = {
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  // VS Code would search all processes of the computer for open ports, even while it is idle. To
  // stop this, both settings are necessary.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
};

export interface CodeServerOptions {
  /**
   * Absolute path of the folder for the server's settings, extensions, and logs; created if
   * missing.
   */
  dataFolder: string;
  /** Absolute paths of packaged extensions (`.vsix`) to install before starting. */
  extensions?: readonly string[];
  /** User settings in addition to the base settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Additional environment variables for the server, and therefore for the extension host. */
  env?: Readonly<Record<string, string>>;
  /**
   * True to support `extensionDevelopmentPath` in a page's URL. This also suppresses notifications
   * and test-mode dialogs.
   */
  smokeTestDriver?: boolean;
  /** TCP port on 127.0.0.1; if absent, a free port is used. */
  port?: number;
}

/** VS Code's workbench and extension host, served to a browser. */
export interface CodeServer {
  /** URL to open in a browser, without a trailing slash. */
  url: string;
  /** `host:port`, the authority of this server's `vscode-remote:` URIs. */
  authority: string;
  /** Process ID of the server, which leads its process group. */
  pid: number;
  /** Stops the server and all extension hosts that it started. */
  stop(): Promise<void>;
}

/**
 * Installs the browser version of VS Code into a separate folder unless it is already installed.
 * The workbench's own packages are installed in a second step, because the server's install script
 * would compile native modules that aren't needed here.
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
    // Inside a VS Code terminal, these variables would connect the new server to the VS Code
    // instance that owns the terminal.
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

/** Returns the folder from which the server loads extensions when it starts. */
export function getExtensionsFolder(dataFolder: string): string {
  return join(dataFolder, 'extensions');
}

function serverArguments(
  dataFolder: string,
  extensionsFolder = getExtensionsFolder(dataFolder),
): string[] {
  return [
    join(serverFolder, 'out', 'node', 'entry.js'),
    ...['--config', join(dataFolder, 'config.yaml')],
    ...['--user-data-dir', join(dataFolder, 'user')],
    ...['--extensions-dir', extensionsFolder],
  ];
}

/**
 * Deletes everything that VS Code has stored for the user: state, backups, history, and settings.
 * All windows must be closed.
 */
export function resetProfile(dataFolder: string, settings: CodeServerOptions['settings']): void {
  rmSync(join(dataFolder, 'user', 'User'), { recursive: true, force: true, maxRetries: 10 });
  writeSettings(dataFolder, settings);
}

function writeSettings(dataFolder: string, settings: CodeServerOptions['settings']): void {
  const all = Object.entries({ ...baseSettings, ...baseMachineSettings, ...settings });
  const isMachineSetting = ([key]: [string, unknown]): boolean => key in baseMachineSettings;
  const write = (name: string, entries: readonly [string, unknown][]): void => {
    const folder = join(dataFolder, 'user', name);
    mkdirSync(folder, { recursive: true });
    const text = JSON.stringify(Object.fromEntries(entries), undefined, 2);
    writeFileSync(join(folder, 'settings.json'), text);
  };
  write(
    'User',
    all.filter((entry) => !isMachineSetting(entry)),
  );
  write('Machine', all.filter(isMachineSetting));
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
  const folder = getExtensionsFolder(dataFolder);
  // A persistent folder retains the extensions that the user has installed.
  if (existsSync(folder)) for (const vsix of vsixFiles) install(vsix, folder);
  else if (vsixFiles.length > 0) installCachedExtensions(vsixFiles, folder, install);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Starts VS Code for browsers; resolves when it responds.
 *
 * @throws Error if an extension can't be installed, the server exits, or the server doesn't respond
 *   within a minute; the server's log is in `dataFolder/server.log`
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
  while (!(await isHealthy(url))) {
    if (group.child.exitCode !== null || performance.now() > deadline) {
      await group.stop();
      throw new Error(`VS Code's server did not start; its log is ${logFile}.`);
    }
    await sleep(pollMs);
  }
  return { url, authority, pid: group.child.pid ?? -1, stop: () => group.stop() };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TrainingError } from '../trainingRunner';

/**
 * Variables that programs need to run. Other variables might contain secrets that belong to the
 * user who runs the service.
 */
const INHERITED = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'windir',
  'PATHEXT',
];

/** A running script's folders, which nothing else uses. */
export interface ScriptFolders {
  /** Folder in which Python finds the script. */
  readonly package: string;
  readonly home: string;
  readonly temporary: string;
}

/** Returns the environment variables for all Python runs. */
function pythonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = INHERITED.filter((name) => environment[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, environment[name]])),
    LANG: 'C.UTF-8',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

// Variables that determine the user's home directory. On Windows, which doesn't set HOME, Python
// looks for user packages in APPDATA or the user profile.
const HOMES = ['HOME', 'USERPROFILE', 'APPDATA'];

/** Returns the environment for running the interpreter to determine the user's package folder. */
export function probeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const homes = HOMES.filter((name) => environment[name] !== undefined);
  return {
    ...pythonEnvironment(environment),
    ...Object.fromEntries(homes.map((name) => [name, environment[name]])),
  };
}

/**
 * Returns the environment for a training script. The environment includes the folders that the
 * script can write to, but no information about the service.
 */
export function scriptEnvironment(
  environment: NodeJS.ProcessEnv,
  folders: ScriptFolders,
  userBase: string,
): NodeJS.ProcessEnv {
  const { home, temporary } = folders;
  return {
    ...pythonEnvironment(environment),
    HOME: home,
    USERPROFILE: home,
    [TEMPORARY]: temporary,
    TMP: temporary,
    TEMP: temporary,
    PYTHONPATH: folders.package,
    // Without this variable, Python would look for the user's packages in the new home folder.
    PYTHONUSERBASE: userBase,
    // Disables buffering, so that lines are visible as soon as they are written.
    PYTHONUNBUFFERED: '1',
  };
}

const TEMPORARY = 'TMPDIR';

/**
 * Returns a marker that is in the environment of all of a script's processes and no other
 * processes.
 */
export function toEnvironmentMarker({ temporary }: Pick<ScriptFolders, 'temporary'>): string {
  return `${TEMPORARY}=${temporary}`;
}

const ANSWER_MS = 20_000;
/**
 * Option for isolated mode. Otherwise, Python would load files in the service's working directory
 * as library modules.
 */
const ISOLATED = '-I';
const QUESTION =
  'import json, site, sys; print(json.dumps([sys.executable, sys.version.split()[0], site.getuserbase()]))';

/** Information that a Python interpreter reports about itself. */
export interface Python {
  /**
   * Path of the interpreter's executable. The executable on the PATH might be a launcher, which
   * passes additional environment variables to the interpreter.
   */
  readonly program: string;
  readonly version: string;
  /** Folder of packages that the user installed. */
  readonly userBase: string;
}

/**
 * Returns the names of the interpreter, most specific first. Windows installers don't create
 * `python3`, and add `python` to the PATH only on request. The launcher `py` is always available.
 */
export function getInterpreterNames(platform: NodeJS.Platform): readonly string[] {
  return platform === 'win32' ? ['python3', 'python', 'py'] : ['python3'];
}

/**
 * Finds Python 3 on the PATH.
 * @throws TrainingError if no interpreter works; the signal's reason if the signal is aborted.
 */
export async function findPython(
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Python> {
  const names = getInterpreterNames(process.platform);
  const reasons: string[] = [];
  for (const name of names) {
    try {
      return await probePython(name, environment, signal);
    } catch (error) {
      signal.throwIfAborted();
      reasons.push(describeProbeError(error));
    }
  }
  throw new TrainingError(
    `Training scripts need Python 3, but ${names.join(' or ')} doesn't run on the computer of the service (${reasons.join('; ')}). ` +
      'Install Python 3 there so that it is on the PATH of the service, and submit the job again.',
  );
}

async function probePython(
  name: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Python> {
  const { stdout } = await promisify(execFile)(name, [ISOLATED, '-c', QUESTION], {
    env: probeEnvironment(environment),
    timeout: ANSWER_MS,
    windowsHide: true,
    signal,
  });
  const [program, version, userBase] = JSON.parse(stdout) as [string, string, string];
  return { program, version, userBase };
}

function describeProbeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'not found' : (message.trim().split('\n').at(-1) ?? '');
}

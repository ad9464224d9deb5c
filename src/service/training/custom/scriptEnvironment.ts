/**
 * Variables that programs need to run. Other variables might contain secrets of the user who runs
 * the service.
 */
const KEPT = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'windir', 'PATHEXT'];

/** Folders of a running script, which nothing else uses. */
export interface ScriptFolders {
  /** Folder in which Python finds the script. */
  readonly package: string;
  readonly home: string;
  readonly temporary: string;
}

/** Returns the environment variables of all Python runs. */
export function pythonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = KEPT.filter((name) => environment[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, environment[name]])),
    LANG: 'C.UTF-8',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

// Variables that determine the user's folder. On Windows, which has no HOME, Python looks for the
// user's packages in APPDATA or the user profile.
const HOMES = ['HOME', 'USERPROFILE', 'APPDATA'];

/**
 * Returns the environment for running the interpreter to determine the folder of the user's
 * packages.
 */
export function probeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const homes = HOMES.filter((name) => environment[name] !== undefined);
  return {
    ...pythonEnvironment(environment),
    ...Object.fromEntries(homes.map((name) => [name, environment[name]])),
  };
}

/**
 * Returns the environment of a training script. The environment includes the folders that the
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
 * Returns a marker that is in the environment of all processes of a script and of no other
 * processes.
 */
export function toEnvironmentMarker({ temporary }: Pick<ScriptFolders, 'temporary'>): string {
  return `${TEMPORARY}=${temporary}`;
}

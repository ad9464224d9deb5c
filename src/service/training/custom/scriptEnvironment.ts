/**
 * Variables that programs need to run; others can contain secrets of the user who runs the service.
 */
const KEPT = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'windir', 'PATHEXT'];

/** The folders of a running script, which nothing else uses. */
export interface ScriptFolders {
  /** Folder in which Python finds the script. */
  readonly package: string;
  readonly home: string;
  readonly temporary: string;
}

/** Returns the environment variables of all Python runs. */
export function pythonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = KEPT.filter((name) => environment[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
    LANG: 'C.UTF-8',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

// Windows has no HOME: Python looks for the user's packages below APPDATA or the user profile.
const HOMES = ['HOME', 'USERPROFILE', 'APPDATA'];

/** Returns the environment of an interpreter that reports the folder of the user's packages. */
export function probeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const homes = HOMES.filter((name) => environment[name] !== undefined);
  return {
    ...pythonEnvironment(environment),
    ...Object.fromEntries(homes.map((name) => [name, environment[name]])),
  };
}

/**
 * Returns the environment of a training script: the folders to which it can write, and nothing
 * about the service.
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
    // Otherwise, packages that the user installed would be searched in the new home.
    PYTHONUSERBASE: userBase,
    // Lines must be visible when they are written.
    PYTHONUNBUFFERED: '1',
  };
}

const TEMPORARY = 'TMPDIR';

/** Returns a mark in the environment of every process of a script, and of no others. */
export function toEnvironmentMarker({ temporary }: Pick<ScriptFolders, 'temporary'>): string {
  return `${TEMPORARY}=${temporary}`;
}

/** What programs need to be found and to run; the rest may hold secrets of the user who runs the service. */
const KEPT = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'windir', 'PATHEXT'];

/** The folders of a script that is run, all of them its alone. */
export interface ScriptFolders {
  /** In which Python finds the script. */
  readonly package: string;
  readonly home: string;
  readonly temporary: string;
}

/** What every run of Python is told. */
export function pythonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = KEPT.filter((name) => environment[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
    LANG: 'C.UTF-8',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

// Windows has no HOME: Python looks for the packages of a user below APPDATA, or their profile.
const HOMES = ['HOME', 'USERPROFILE', 'APPDATA'];

/** The environment of an interpreter that reports where a user's packages are. */
export function probeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const homes = HOMES.filter((name) => environment[name] !== undefined);
  return {
    ...pythonEnvironment(environment),
    ...Object.fromEntries(homes.map((name) => [name, environment[name]])),
  };
}

/** What a training script is told: where it may write, and nothing of the service. */
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
    // Else packages that the user installed would be looked for in the new home.
    PYTHONUSERBASE: userBase,
    // Lines are to be seen when they are written.
    PYTHONUNBUFFERED: '1',
  };
}

const TEMPORARY = 'TMPDIR';

/** What the environment of every process of a script holds, and of no others. */
export function markOf({ temporary }: Pick<ScriptFolders, 'temporary'>): string {
  return `${TEMPORARY}=${temporary}`;
}

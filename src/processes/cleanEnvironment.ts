/** What a process needs of the environment; the rest may hold secrets. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'windir'];

/** The environment of a process that runs a program of ours with the running Node, without secrets. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = NEEDED.filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

/** Environment variables that a process needs. Other variables might contain secrets. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'windir'];

/**
 * Returns an environment without secrets for a process that runs one of our programs with the
 * current Node.js executable.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = NEEDED.filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

/**
 * Variables that a build's commands must not receive: variables that the editor sets, and the API
 * key for uploads, which every package that a build installs could read.
 */
const OWN_VARIABLES =
  /^(ELECTRON_RUN_AS_NODE|ELECTRON_NO_ATTACH_CONSOLE|SVC_API_KEY|SVC_API_KEY_ID)$/i;

/**
 * Returns the environment for a module's commands and programs, without this program's own
 * variables.
 */
export function withoutOwnVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const remaining = Object.entries(environment).filter(([name]) => !OWN_VARIABLES.test(name));
  return Object.fromEntries(remaining);
}

import { isKeyId } from '../../../core/model/connection';

/**
 * Environment variables that contain an API key, for example in the environment of a module or
 * script.
 */
const KEY_ID = 'SVC_API_KEY_ID';
const KEY = 'SVC_API_KEY';
const BASE_URL = 'FLEETWRIGHT_BASE_URL';

export interface EnvironmentKey {
  readonly keyId: string;
  readonly key: string;
  /** The service's URL, if the environment specifies it. */
  readonly baseUrl: string | undefined;
}

/** Returns the API key pair from the environment, if it is complete. */
export function environmentKey(environment: NodeJS.ProcessEnv): EnvironmentKey | undefined {
  const keyId = environment[KEY_ID]?.trim() ?? '';
  const key = environment[KEY]?.trim() ?? '';
  if (!isKeyId(keyId) || key === '') return undefined;
  return { keyId, key, baseUrl: environment[BASE_URL] || undefined };
}

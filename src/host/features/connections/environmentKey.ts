import { isKeyId } from '../../../core/model/credentials';

/** Variables that hold an API key where a module or a script runs. */
const KEY_ID = 'SVC_API_KEY_ID';
const KEY = 'SVC_API_KEY';
const BASE_URL = 'FLEETWRIGHT_BASE_URL';

export interface EnvironmentKey {
  readonly keyId: string;
  readonly key: string;
  /** Where the key belongs, when the environment says so. */
  readonly baseUrl: string | undefined;
}

/** The API key pair of the environment, when it is whole. */
export function environmentKey(environment: NodeJS.ProcessEnv): EnvironmentKey | undefined {
  const keyId = environment[KEY_ID]?.trim() ?? '';
  const key = environment[KEY]?.trim() ?? '';
  if (!isKeyId(keyId) || key === '') return undefined;
  return { keyId, key, baseUrl: environment[BASE_URL] || undefined };
}

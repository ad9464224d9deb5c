import {
  MODULE_APIS,
  type ModuleApi,
  type ModuleApiKey,
} from '../../src/core/modules/generate/moduleApi';

/** Returns an API for which modules can be generated. */
export function moduleApi(key: ModuleApiKey): ModuleApi {
  const api = MODULE_APIS.find((one) => one.key === key);
  if (!api) throw new Error(`Nothing is generated for ${key}.`);
  return api;
}

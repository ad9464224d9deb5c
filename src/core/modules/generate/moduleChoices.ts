import type { ModuleApi, ModuleLanguage } from './moduleApi';

/** What a module is generated from. Names have letters, digits, dashes and underscores only. */
export interface ModuleChoices {
  /** The namespace of the organization, or its id while it has none. */
  readonly namespace: string;
  readonly moduleName: string;
  readonly modelName: string;
  readonly api: ModuleApi;
  readonly language: ModuleLanguage;
}

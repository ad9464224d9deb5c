import type { ModuleApi, ModuleLanguage } from './moduleApi';

/**
 * Parameters of a generated module. Names contain only letters, digits, dashes, and underscores.
 */
export interface ModuleChoices {
  /** Namespace of the organization, or its ID if it has no namespace yet. */
  readonly namespace: string;
  readonly moduleName: string;
  readonly modelName: string;
  readonly api: ModuleApi;
  readonly language: ModuleLanguage;
}

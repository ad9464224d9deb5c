import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fromRoot } from '../../scripts/support/paths';
import {
  MODULE_APIS,
  type ModuleApi,
  type ModuleApiKey,
  type ModuleLanguage,
} from '../../src/core/modules/generate/moduleApi';
import type { TemplateFile } from '../../src/core/modules/generate/moduleFiles';

/** Returns the templates of a language that the extension contains. */
export function moduleTemplates(language: ModuleLanguage): readonly TemplateFile[] {
  const folder = fromRoot('media', 'moduleTemplates', language);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({
      path: relative(folder, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/** Returns an API for which modules can be generated. */
export function moduleApi(key: ModuleApiKey): ModuleApi {
  const api = MODULE_APIS.find((one) => one.key === key);
  if (!api) throw new Error(`Nothing is generated for ${key}.`);
  return api;
}

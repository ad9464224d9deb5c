import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModuleApiKey, ModuleLanguage } from '../../src/core/modules/generate/moduleApi';
import { moduleFiles } from '../../src/core/modules/generate/moduleFiles';
import { moduleApi, moduleTemplates } from './moduleTemplates';

/** Writes the module `acme:weather`, unless others are named, with the model `station` into a folder. */
export function generatedInto(
  folder: string,
  key: ModuleApiKey,
  language: ModuleLanguage,
  { namespace = 'acme', moduleName = 'weather' } = {},
): void {
  const names = { namespace, moduleName, modelName: 'station' };
  const files = moduleFiles({ ...names, api: moduleApi(key), language }, moduleTemplates(language));
  for (const { path, text, isExecutable } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (isExecutable) chmodSync(file, 0o755);
  }
}

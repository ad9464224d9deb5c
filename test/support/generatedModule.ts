import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { addModel, getMainFile } from '../../src/core/modules/generate/addModel';
import type { ModuleApiKey, ModuleLanguage } from '../../src/core/modules/generate/moduleApi';
import { type GeneratedFile, moduleFiles } from '../../src/core/modules/generate/moduleFiles';
import { applyTextEdits } from './applyTextEdits';
import { moduleApi } from './moduleApi';
import { readModuleTemplates } from '../../scripts/support/moduleTemplates';

/** Generates a module in a folder; by default, `acme:weather` with the model `station`. */
export function generatedInto(
  folder: string,
  key: ModuleApiKey,
  language: ModuleLanguage,
  { namespace = 'acme', moduleName = 'weather' } = {},
): void {
  const names = { namespace, moduleName, modelName: 'station' };
  const files = moduleFiles(
    { ...names, api: moduleApi(key), language },
    readModuleTemplates(language),
  );
  write(folder, files);
}

/**
 * Adds a model to a module generated in a folder. The model implements another API, after which it
 * is named.
 */
export function addModelInto(folder: string, key: ModuleApiKey, language: ModuleLanguage): void {
  const names = { namespace: 'acme', moduleName: 'weather', modelName: key };
  const [manifestFile, mainFile] = [join(folder, 'meta.json'), join(folder, getMainFile(language))];
  const manifest = readFileSync(manifestFile, 'utf8');
  const main = readFileSync(mainFile, 'utf8');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const addition = addModel(
    { ...names, api: moduleApi(key), language },
    readModuleTemplates(language),
    { manifest, main, paths: new Set(files.map((path) => path.split(sep).join('/'))) },
  );
  assert(typeof addition !== 'string', `${key}: ${JSON.stringify(addition)}`);
  write(folder, addition.files);
  writeFileSync(manifestFile, applyTextEdits(manifest, addition.manifestEdits));
  writeFileSync(mainFile, applyTextEdits(main, addition.mainEdits));
}

function write(folder: string, files: readonly GeneratedFile[]): void {
  for (const { path, text, isExecutable } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (isExecutable) chmodSync(file, 0o755);
  }
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { TemplateFile } from '../../src/core/modules/generate/moduleFiles';
import { fromRoot } from './paths';

const templatesFolder = fromRoot('media', 'moduleTemplates');

/** Reads the templates of a language, in the order of their paths. */
export function readModuleTemplates(language: string): readonly TemplateFile[] {
  const folder = join(templatesFolder, language);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => ({
      path: relative(folder, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/**
 * Writes the templates of each language as one file, `<language>.json`, into the folder `target`. They
 * resemble each other, and a VSIX compresses each of its files on its own.
 */
export function writeModuleTemplates(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const language of readdirSync(templatesFolder)) {
    const json = JSON.stringify(readModuleTemplates(language));
    writeFileSync(join(target, `${language}.json`), json);
  }
}

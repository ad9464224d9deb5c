import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ModuleLanguage } from '../../../../core/modules/generate/moduleApi';
import type { TemplateFile } from '../../../../core/modules/generate/moduleFiles';

/** Reads the bundled templates for a language. */
export async function readTemplates(
  extensionFolder: string,
  language: ModuleLanguage,
): Promise<readonly TemplateFile[]> {
  const folder = join(extensionFolder, 'media', 'moduleTemplates', language);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.map(async (path) => ({
      path: relative(folder, path).split(sep).join('/'),
      text: await readFile(path, 'utf8'),
    })),
  );
}

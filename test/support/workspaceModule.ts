import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a module into a new folder, with a build that can be uploaded. */
export function writeModule(
  folder: string,
  {
    moduleId,
    build = { path: 'build' },
    markdownLink,
  }: {
    readonly moduleId: string;
    readonly build?: object;
    readonly markdownLink?: string;
  },
): void {
  mkdirSync(join(folder, 'build'), { recursive: true });
  const program = join(folder, 'build', 'main.sh');
  writeFileSync(program, '#!/bin/sh\nexit 0\n');
  chmodSync(program, 0o755);
  const manifest = {
    module_id: moduleId,
    visibility: 'private',
    url: '',
    description: 'Measures depth',
    markdown_link: markdownLink,
    models: [{ api: 'rdk:component:sensor', model: `${moduleId}:deep` }],
    entrypoint: 'main.sh',
    build: { arch: ['linux/amd64'], ...build },
  };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(manifest, undefined, 2));
}

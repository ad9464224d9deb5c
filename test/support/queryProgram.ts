import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { programBundle } from '../../scripts/support/bundles';
import { root } from '../../scripts/support/paths';

/** In the repository, so that the program finds its native part. */
const folder = join(root, '.cache', 'queryProgram');

let program: Promise<string> | undefined;

/**
 * The program of query processes, bundled from the sources once for each test run. Its file is named
 * by its contents, so that runs at the same time do not disturb each other.
 */
export function queryProgram(): Promise<string> {
  program ??= bundle();
  return program;
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    ...programBundle({ root, production: false }, 'queryProcess'),
    sourcemap: false,
    write: false,
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  const file = join(folder, `${createHash('sha256').update(contents).digest('hex')}.js`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${file}.${String(process.pid)}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, file);
  }
  return file;
}

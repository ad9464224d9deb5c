import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Program, programBundle } from '../../scripts/support/bundles';
import { root } from '../../scripts/support/paths';

const programs = new Map<Program, Promise<string>>();

/**
 * Bundles a program from the sources, at most once per process. The bundle is in the repository,
 * where it finds its native modules. Its file name contains a hash of its contents, so that
 * concurrent runs don't interfere with each other.
 * @returns the path of the bundle.
 */
export function bundledProgram(program: Program): Promise<string> {
  const file = programs.get(program) ?? shareBundle(program);
  programs.set(program, file);
  return file;
}

/**
 * Bundles a program at most once per run of `npm run bench`, whose processes run one after the
 * other and name a folder for the paths of their bundles.
 */
async function shareBundle(program: Program): Promise<string> {
  const { FLEETWRIGHT_BENCH_BUNDLES: folder } = process.env;
  if (folder === undefined) return bundle(program);
  const shared = join(folder, program);
  if (!existsSync(shared)) writeFileSync(shared, await bundle(program));
  return readFileSync(shared, 'utf8');
}

async function bundle(program: Program): Promise<string> {
  const { outputFiles } = await build({
    ...programBundle({ root, production: false }, program),
    sourcemap: false,
    write: false,
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  const folder = join(root, '.cache', program);
  const file = join(folder, `${createHash('sha256').update(contents).digest('hex')}.js`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${file}.${String(process.pid)}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, file);
  }
  return file;
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fromRoot, root } from './support/paths';

const generatedFolder = fromRoot('src', 'gen');
const bufCommand = fromRoot('node_modules/@bufbuild/buf/bin/buf');
const stampFile = fromRoot('.cache', 'generate.sha256');
const inputs = ['buf.yaml', 'buf.gen.yaml', 'proto/**/*.proto', 'package-lock.json'];

function inputsDigest(): string {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(fromRoot(path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Generates `src/gen` from `proto/`. Does nothing if neither the contract nor the generator's
 * version has changed since the last run. Otherwise, `buf generate` would empty the folder first,
 * which would remove the types while a watcher or language server uses them.
 *
 * @throws Error if buf rejects the contract; buf's message is already on stderr.
 */
export function generate(): void {
  const digest = inputsDigest();
  const last = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (last === digest && existsSync(generatedFolder)) return;
  const buf = spawnSync(process.execPath, [bufCommand, 'generate'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [fromRoot('node_modules/.bin'), process.env.PATH].join(delimiter),
    },
  });
  if (buf.status !== 0) throw new Error('buf generate failed.');
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, digest);
}

if (require.main === module) generate();

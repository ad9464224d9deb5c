import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from './paths';

const packagePath = /^node_modules\/(?:@[^/]+\/)?[^/]+/;
const licenseFiles = '{LICENSE,LICENCE,License,license,COPYING}*';
const noticeFiles = 'NOTICE*';

interface PackageFacts {
  name: string;
  version: string;
  license?: string;
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(fromRoot(folder, 'package.json'), 'utf8'),
  ) as PackageFacts;
  const texts = [licenseFiles, noticeFiles]
    .flatMap((pattern) => globSync(pattern, { cwd: fromRoot(folder) }).sort())
    .map((file) => readFileSync(fromRoot(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
}

/**
 * Writes `dist/THIRD_PARTY_NOTICES.txt`: the license and notice of every package whose code is in a
 * bundle, as those licenses ask of whoever hands the code on.
 *
 * @param inputs the files that went into the bundles, relative to the root, as esbuild names them
 */
export function writeThirdPartyNotices(inputs: readonly string[]): void {
  const folders = new Set(inputs.flatMap((path) => packagePath.exec(path)?.[0] ?? []));
  const separator = `\n\n${'-'.repeat(80)}\n\n`;
  const text = [...folders].sort().map(notice).join(separator);
  writeFileSync(fromRoot('dist', 'THIRD_PARTY_NOTICES.txt'), `${text}\n`);
}

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from './paths';

const packagePath = /^node_modules\/(?:@[^/]+\/)?[^/]+/;
const licenseFiles = '{LICENSE,LICENCE,License,license,COPYING}*';
const noticeFiles = 'NOTICE*';
const separator = `\n\n${'-'.repeat(80)}\n\n`;

/**
 * Folder that contains licenses by SPDX ID, and additional notices by package name, in which `+`
 * replaces each slash.
 */
const licensesFolder = fromRoot('scripts', 'licenses');

interface PackageFacts {
  name: string;
  version: string;
  /** License as an SPDX expression, such as `Apache-2.0 AND MIT`. */
  license?: string;
  author?: string | { name: string };
}

function notice(folder: string): string {
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFacts;
  const { name, version, license } = facts;
  const own = [licenseFiles, noticeFiles]
    .flatMap((pattern) => globSync(pattern, { cwd: folder }).sort())
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const texts = own.length > 0 ? own : namedLicenses(facts);
  const extraTexts = readLicenseTexts(name.replaceAll('/', '+'));
  return [`${name} ${version} (${license ?? 'see below'})`, ...extraTexts, ...texts].join('\n\n');
}

/**
 * Returns the full text of the licenses that a package names. Many packages don't include this
 * text, although it must accompany their code.
 */
function namedLicenses({ license = '', author }: PackageFacts): string[] {
  const holder = typeof author === 'string' ? author : author?.name;
  return [
    ...(holder === undefined ? [] : [`Copyright (c) ${holder}`]),
    ...(license.match(/[\w.-]+/g) ?? []).flatMap(readLicenseTexts),
  ];
}

function readLicenseTexts(name: string): string[] {
  const file = join(licensesFolder, `${name}.txt`);
  return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
}

/**
 * Returns the licenses and notices of packages, as required for redistribution.
 *
 * @param folders absolute paths of the packages' folders
 */
export function thirdPartyNotices(folders: readonly string[]): string {
  return `${folders.map(notice).join(separator)}\n`;
}

/**
 * Writes `dist/THIRD_PARTY_NOTICES.txt`, which contains the license and notice of every package
 * whose code is in a bundle.
 *
 * @param inputs input files of the bundles, relative to the root, as esbuild names them
 */
export function writeThirdPartyNotices(inputs: readonly string[]): void {
  const folders = new Set(inputs.flatMap((path) => packagePath.exec(path)?.[0] ?? []));
  const absolute = [...folders].sort().map((folder) => fromRoot(folder));
  writeFileSync(fromRoot('dist', 'THIRD_PARTY_NOTICES.txt'), thirdPartyNotices(absolute));
}

/** Appends the licenses of unbundled packages to a file that contains the other licenses. */
export function appendThirdPartyNotices(file: string, folders: readonly string[]): void {
  writeFileSync(file, `${separator.trimStart()}${thirdPartyNotices(folders)}`, { flag: 'a' });
}

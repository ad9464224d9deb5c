/** VS Code platforms that DuckDB, the query engine, supports. */
export const nativeTargets = [
  'linux-x64',
  'linux-arm64',
  'alpine-x64',
  'alpine-arm64',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
] as const;

/** A platform in VS Code's notation, as in `vsce --target`. */
export type NativeTarget = (typeof nativeTargets)[number];

/**
 * Target of a VSIX: a single platform, or `universal` for all other platforms, without native code.
 */
export type VsixTarget = NativeTarget | 'universal';

/** All VSIX targets of a release. */
export const vsixTargets: readonly VsixTarget[] = [...nativeTargets, 'universal'];

/** Returns the DuckDB package for a platform. VS Code's name for Linux with musl is `alpine`. */
export function bindingPackage(target: NativeTarget): string {
  return `@duckdb/node-bindings-${target.replace(/^alpine-(.*)$/, 'linux-$1-musl')}`;
}

function hasMusl(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/** Returns the target for this computer; `universal` if DuckDB doesn't support it. */
export function getCurrentTarget(): VsixTarget {
  const system = process.platform === 'linux' && hasMusl() ? 'alpine' : process.platform;
  const name = `${system}-${process.arch}`;
  return nativeTargets.find((target) => target === name) ?? 'universal';
}

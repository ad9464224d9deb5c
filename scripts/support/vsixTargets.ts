/** The platforms of VS Code that DuckDB, which runs the queries, is made for. */
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

/** A platform in VS Code's words, as `vsce --target` takes it. */
export type NativeTarget = (typeof nativeTargets)[number];

/** What a VSIX is made for: one platform, or all others without the native part. */
export type VsixTarget = NativeTarget | 'universal';

/** Every VSIX of a release. */
export const vsixTargets: readonly VsixTarget[] = [...nativeTargets, 'universal'];

/** The package that holds DuckDB for a platform. VS Code calls Linux with musl `alpine`. */
export function bindingPackage(target: NativeTarget): string {
  return `@duckdb/node-bindings-${target.replace(/^alpine-(.*)$/, 'linux-$1-musl')}`;
}

function hasMusl(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/** What is installed on the machine that this runs on; `universal` where there is no DuckDB. */
export function targetOfThisMachine(): VsixTarget {
  const system = process.platform === 'linux' && hasMusl() ? 'alpine' : process.platform;
  const name = `${system}-${process.arch}`;
  return nativeTargets.find((target) => target === name) ?? 'universal';
}

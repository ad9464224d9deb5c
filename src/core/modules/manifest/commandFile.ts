import { insidePath } from './manifestPath';

/** Programs that read a script, so that the script needs no execute permission. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'python', 'python3'],
]);
const PLAIN_PATH = /^(?!-)(?:\.\/)?[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * Returns the file in the manifest's folder that a simple command runs: `./build.sh`,
 * `scripts/build.sh --fast`, `sh build.sh`. Returns undefined for other commands, such as `make`.
 */
export function commandFile(
  command: string,
): { readonly file: string; readonly needsPermission: boolean } | undefined {
  const [first = '', second = ''] = command.trim().split(/\s+/, 2);
  const needsPermission = !INTERPRETERS.has(first);
  const written = needsPermission ? first : second;
  if (!PLAIN_PATH.test(written) || (needsPermission && !written.includes('/'))) return undefined;
  const file = insidePath(written);
  return file === undefined || file === '' ? undefined : { file, needsPermission };
}

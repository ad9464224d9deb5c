import { insidePath } from './manifestPath';

/** Programs that are given a script: it needs no permission to be executed. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'python', 'python3'],
]);
const PLAIN_PATH = /^(?!-)(?:\.\/)?[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * The file of the manifest's folder that a command line starts, as far as that is plain: `./build.sh`,
 * `scripts/build.sh --fast`, `sh build.sh`. Undefined of everything else, such as `make`.
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

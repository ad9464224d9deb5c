import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/support/freePort';
import { ensureInstalled } from './debianPackages';
import { makeCertificate } from './testCertificate';

/** Debian's packages of the programs. */
export const CEPH_PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'];
const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'ceph'];
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 50;
const EVERYTHING = ['mon', 'osd', 'mgr'].flatMap((kind) => ['--cap', kind, 'allow *']);

/** Credentials of the only user, in the form of the SDK's environment variables. */
export const CEPH_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'fleetwright-test',
  AWS_SECRET_ACCESS_KEY: 'fleetwright-test-secret',
} as const;

/** Returns true if Ceph is installed or could be installed. */
export function ensureCeph(): boolean {
  return ensureInstalled(PROGRAMS, CEPH_PACKAGES);
}

/**
 * A private Ceph cluster in a temporary folder with one monitor, one OSD that stores objects in
 * memory, and an S3 server (radosgw). All of them listen only on the loopback address. Nothing is
 * written outside the folder.
 */
export class CephCluster {
  private readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-ceph-'));
  private readonly config = join(this.folder, 'ceph.conf');
  private readonly certificateFile = join(this.folder, 'certificate.pem');
  private readonly children: ChildProcess[] = [];
  private server: ChildProcess | undefined;

  private constructor(
    private readonly monitorPort: number,
    private readonly port: number,
    private readonly securePort: number,
    /** Certificate of `secureEndpoint` (PEM), which is its own authority. */
    readonly authority: string,
    key: string,
  ) {
    writeFileSync(this.certificateFile, `${authority}\n${key}`);
  }

  /** URL of the S3 server. */
  get endpoint(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** URL of the S3 server with TLS. */
  get secureEndpoint(): string {
    return `https://127.0.0.1:${String(this.securePort)}`;
  }

  /** Starts a cluster, which takes about 15 seconds. It stops with this process at the latest. */
  static async start(): Promise<CephCluster> {
    const { cert, key } = await makeCertificate();
    const cluster = new CephCluster(
      await freePort(),
      await freePort(),
      await freePort(),
      cert,
      key,
    );
    process.once('exit', cluster.kill);
    try {
      await cluster.startServers();
    } catch (error) {
      cluster.kill();
      throw error;
    }
    return cluster;
  }

  private async startServers(): Promise<void> {
    const fsid = randomUUID();
    const keyring = join(this.folder, 'keyring');
    for (const name of ['mon', 'osd', 'rgw', 'crash']) mkdirSync(join(this.folder, name));
    writeFileSync(this.config, this.describe(fsid, keyring));
    const addKey = (name: string, ...options: string[]): string =>
      this.run('ceph-authtool', keyring, '--gen-key', '-n', name, ...options);
    addKey('mon.', '--create-keyring', '--cap', 'mon', 'allow *');
    addKey('client.admin', ...EVERYTHING);
    addKey('osd.0', ...EVERYTHING);
    const monitors = join(this.folder, 'monmap');
    const address = `[v2:127.0.0.1:${String(this.monitorPort)}]`;
    this.run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, monitors);
    this.run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monitors, '--keyring', keyring);
    this.children.push(this.spawn('ceph-mon', '-f', '-i', 'a'));
    const osd = randomUUID();
    this.run('ceph', 'osd', 'new', osd, '0');
    this.run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    this.children.push(this.spawn('ceph-osd', '-f', '-i', '0'));
    const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret } = CEPH_CREDENTIALS;
    const user = ['--uid=fleet', '--display-name=Fleet', `--access-key=${key}`];
    this.run('radosgw-admin', 'user', 'create', ...user, `--secret=${secret}`);
    await this.startServer();
  }

  private describe(fsid: string, keyring: string): string {
    const folder = this.folder;
    return `[global]
fsid = ${fsid}
mon initial members = a
mon host = [v2:127.0.0.1:${String(this.monitorPort)}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
keyring = ${keyring}
crash dir = ${folder}/crash
mon data = ${folder}/mon
mon data avail crit = 1
mon allow pool size one = true
mon max pg per osd = 1000
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
osd data = ${folder}/osd
memstore device bytes = 2147483648
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${String(this.port)} ssl_endpoint=127.0.0.1:${String(this.securePort)} ssl_certificate=${this.certificateFile}
`;
  }

  /** Starts the S3 server with the objects that it had before. */
  async startServer(): Promise<void> {
    this.server = this.spawn('radosgw', '-f', '-n', 'client.admin');
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await this.isReady())) {
      if (this.server.exitCode !== null || performance.now() > deadline) {
        throw new Error(`radosgw did not start:\n${this.readOutput('radosgw')}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Stops the S3 server. The objects remain. */
  async stopServer(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (server === undefined) return;
    server.ref();
    const ended = once(server, 'exit');
    // A killed server would make the next one wait for it for 30 seconds.
    server.kill('SIGTERM');
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Kills all processes of the cluster and deletes its folder. */
  readonly kill = (): void => {
    process.off('exit', this.kill);
    const pids = [this.server, ...this.children].map((child) => child?.pid);
    for (const pid of pids) if (pid !== undefined) killProcess(pid);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: POLL_MS });
  };

  private async isReady(): Promise<boolean> {
    return fetch(this.endpoint).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private run(program: string, ...args: string[]): string {
    const isTool = program === 'ceph-authtool' || program === 'monmaptool';
    const options = isTool ? args : ['-c', this.config, ...args];
    const { status, stdout, stderr, error } = spawnSync(program, options, {
      encoding: 'utf8',
      timeout: START_LIMIT_MS,
      cwd: this.folder,
    });
    if (status === 0) return stdout;
    throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stderr}`);
  }

  private spawn(program: string, ...args: string[]): ChildProcess {
    const output = openSync(this.outputFile(program), 'a');
    const child = spawn(program, ['-c', this.config, ...args], {
      cwd: this.folder,
      stdio: ['ignore', output, output],
    });
    // The process must not keep the test run alive; the exit handler kills it.
    child.unref();
    return child;
  }

  private outputFile(program: string): string {
    return join(this.folder, `${program}.out`);
  }

  private readOutput(program: string): string {
    return readFileSync(this.outputFile(program), 'utf8');
  }
}

/** Kills a child process. Waits for its end, because exit handlers can't await. */
function killProcess(pid: number): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + STOP_LIMIT_MS;
  try {
    process.kill(pid, 'SIGKILL');
    // A killed process remains as a zombie until Node.js has reaped it.
    const isRunning = (): boolean =>
      !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
    while (isRunning() && performance.now() < deadline) Atomics.wait(clock, 0, 0, POLL_MS);
  } catch {
    // The process has ended.
  }
}

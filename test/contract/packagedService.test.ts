import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeBundles } from '../../scripts/support/bundles';
import { nativePackages } from '../../scripts/support/nativePackages';
import { fromRoot, root } from '../../scripts/support/paths';
import { startService, type ServiceProcess } from '../../scripts/support/serviceProcess';
import { stageExtension } from '../../scripts/support/stageExtension';
import { getCurrentTarget } from '../../scripts/support/vsixTargets';
import { connectPublicClient } from '../publicClient/publicClient';

const SENSOR = 'rdk:component:sensor';
const BUILD_LIMIT_MS = 120_000;

/**
 * Builds the programs of the service for a VSIX, in a folder that is structured like the
 * repository.
 */
async function buildPrograms(folder: string): Promise<void> {
  const outdir = join(folder, 'dist');
  const programs = nodeBundles({ root, production: true });
  await Promise.all(programs.map((program) => build({ ...program, outdir })));
  copyFileSync(fromRoot('.vscodeignore'), join(folder, '.vscodeignore'));
  cpSync(fromRoot('media', 'demo'), join(folder, 'media', 'demo'), { recursive: true });
}

/** Unpacks the contents of a VSIX in a folder that has no packages in its parent folders. */
describe('the service from a VSIX', function () {
  this.timeout(BUILD_LIMIT_MS);
  let folder: string;
  let service: ServiceProcess | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-vsix-'));
    await buildPrograms(join(folder, 'built'));
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function start(target: ReturnType<typeof getCurrentTarget>, ...options: string[]) {
    const unpacked = join(folder, target);
    const packages = target === 'universal' ? [] : nativePackages(target);
    stageExtension({ source: join(folder, 'built'), folder: unpacked, target, packages });
    // Run the program through a link, as if it were on a host's PATH.
    const link = join(folder, `${target}.js`);
    rmSync(link, { force: true });
    symlinkSync(join(unpacked, 'dist', 'service.js'), link);
    service = await startService(['--ephemeral', ...options], { script: link });
    const { appClient, dataClient } = await connectPublicClient(service.credentials);
    return { organizationId: service.credentials.organizationId, appClient, dataClient };
  }

  async function startWithReadings(target: ReturnType<typeof getCurrentTarget>) {
    const { organizationId, appClient, dataClient } = await start(target);
    const location = await appClient.createLocation(organizationId, 'Hall');
    const machineId = await appClient.newRobot(location?.id ?? '', 'rover');
    const [part] = await appClient.getRobotParts(machineId);
    await dataClient.tabularDataCaptureUpload(
      [{ readings: { temperature: 20 } }, { readings: { temperature: 22 } }],
      part?.id ?? '',
      SENSOR,
      'thermometer',
      'Readings',
      Array.from({ length: 2 }, () => [new Date(), new Date()]),
    );
    const average = 'select avg(data.readings.temperature) as average from readings';
    return { runQuery: () => dataClient.tabularDataBySQL(organizationId, average), dataClient };
  }

  it('runs queries with the bundled engine', async () => {
    const { runQuery } = await startWithReadings(getCurrentTarget());
    assert.deepEqual(await runQuery(), [{ average: 21 }]);
  });

  it('works without an engine, and reports why it runs no queries', async () => {
    const { runQuery, dataClient } = await startWithReadings('universal');
    await assert.rejects(
      runQuery,
      /queries are not available in this installation: the query engine/,
    );
    const { count } = await dataClient.tabularDataByFilter(undefined, 10);
    assert.equal(count, 2n);
  });

  it('runs from only the files that the container image has', async () => {
    const image = join(folder, 'image');
    const dockerfile = readFileSync(fromRoot('deploy', 'Dockerfile'), 'utf8');
    const copies = dockerfile
      .replaceAll(/\\\n\s*/g, ' ')
      .matchAll(/cp (?:-R )?(dist\/.*?) \/app\//g);
    for (const [, paths = ''] of copies) {
      for (const path of paths.split(/\s+/)) {
        if (!existsSync(join(folder, 'built', path))) continue;
        cpSync(join(folder, 'built', path), join(image, path), { recursive: true });
      }
    }
    const script = join(image, 'dist', 'service.js');
    service = await startService(['--ephemeral'], { script });
    const { appClient } = await connectPublicClient(service.credentials);
    assert.equal((await appClient.listOrganizations()).length, 1);
  });

  it('includes the data of the demo fleet', async () => {
    const { appClient } = await start('universal', '--demo', '--demo-machines', 'still');
    const organizations = await appClient.listOrganizations();
    assert.deepEqual(
      organizations.map(({ name }) => name),
      ['Norrvik Automation', 'Saltmarsh Field Robotics'],
    );
  });
});
